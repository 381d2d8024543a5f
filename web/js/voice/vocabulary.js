// Every word with a meaning of its own in voice mode, by language, in one
// place. A word counts only in its own language: a Polish "no" is a "yeah".
// Words that are a yes to some and a no to others ("大丈夫", "いいです") are in no list.

/** @typedef {Record<string, readonly string[]>} ByLanguage */

/** @type {ByLanguage} */
export const YES = {
  en: ["yes", "yes please", "yeah", "yep", "yup", "ok", "okay", "sure", "allow", "allow it", "approve", "approve it", "go ahead", "do it"],
  pl: ["tak", "tak jest", "ok", "okej", "dobrze", "jasne", "zgoda", "zgadzam się", "pozwól", "pozwalam", "zezwól", "zezwalam", "zatwierdź", "zatwierdzam", "śmiało"],
  ja: ["はい", "ええ", "うん", "ok", "オーケー", "オッケー", "いいよ", "許可", "許可する", "許可します", "許可して", "承認", "承認する", "承認します", "お願いします", "はいお願いします"],
};

/** @type {ByLanguage} */
export const NO = {
  en: ["no", "no thanks", "no thank you", "nope", "nah", "deny", "deny it", "don't", "do not", "don't do it", "reject", "reject it", "stop", "cancel", "not now"],
  pl: ["nie", "nie dziękuję", "nie teraz", "odrzuć", "odmów", "odmawiam", "zabroń", "nie pozwalam", "nie zezwalam", "nie zgadzam się", "nie rób tego", "anuluj", "stop"],
  ja: ["いいえ", "いえ", "いや", "だめ", "ダメ", "駄目", "だめです", "ダメです", "やめて", "やめてください", "拒否", "拒否する", "拒否します", "却下", "許可しない", "許可しません", "中止", "キャンセル"],
};

/** The rest of an answer. Not "continue": that is an order to the agent. @type {ByLanguage} */
export const MORE = {
  en: ["more", "tell me more", "read more", "the rest", "read on"],
  pl: ["więcej", "czytaj dalej", "mów dalej", "reszta"],
  ja: ["もっと", "続き", "続きを読んで", "もっと読んで"],
};

/** The same once more. @type {ByLanguage} */
export const AGAIN = {
  en: ["again", "repeat", "repeat that", "say that again", "say again", "pardon", "what", "what was that"],
  pl: ["powtórz", "jeszcze raz", "słucham", "co", "proszę powtórzyć"],
  ja: ["もう一度", "もう一回", "繰り返して", "もう一度言って", "何"],
};

/** One to ten, each with all its shapes. @type {Record<string, readonly (readonly string[])[]>} */
export const NUMBERS = {
  en: [["one", "first"], ["two", "second"], ["three", "third"], ["four", "fourth"], ["five", "fifth"], ["six", "sixth"], ["seven", "seventh"], ["eight", "eighth"], ["nine", "ninth"], ["ten", "tenth"]],
  pl: [
    ["jeden", "jedna", "jedno", "jedynka", "pierwszy", "pierwsza", "pierwsze", "pierwszą"], ["dwa", "dwie", "dwójka", "drugi", "druga", "drugie", "drugą"],
    ["trzy", "trójka", "trzeci", "trzecia", "trzecie", "trzecią"], ["cztery", "czwórka", "czwarty", "czwarta", "czwarte", "czwartą"],
    ["pięć", "piątka", "piąty", "piąta", "piąte", "piątą"], ["sześć", "szóstka", "szósty", "szósta", "szóste", "szóstą"],
    ["siedem", "siódemka", "siódmy", "siódma", "siódme", "siódmą"], ["osiem", "ósemka", "ósmy", "ósma", "ósme", "ósmą"],
    ["dziewięć", "dziewiątka", "dziewiąty", "dziewiąta", "dziewiąte", "dziewiątą"], ["dziesięć", "dziesiątka", "dziesiąty", "dziesiąta", "dziesiąte", "dziesiątą"],
  ],
  ja: [["一", "いち"], ["二", "に"], ["三", "さん"], ["四", "よん"], ["五", "ご"], ["六", "ろく"], ["七", "なな"], ["八", "はち"], ["九", "きゅう"], ["十", "じゅう"]],
};

/** What people say around a number. In Japanese it has no blanks between. @type {ByLanguage} */
export const BEFORE = { en: ["the", "number", "option", "choice"], pl: ["numer", "opcja", "opcję", "ta", "ten", "to", "tę"], ja: [] };
/** @type {ByLanguage} */
export const AFTER = { en: ["one", "option", "choice", "please"], pl: ["opcja", "opcję", "proszę"], ja: ["でお願いします", "お願いします", "です", "で", "番目", "つ目", "番", "つ"] };
