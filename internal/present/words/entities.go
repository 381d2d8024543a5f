package words

// What agents show and offer as devices of Home Assistant.
var (
	EntityState   = Message{EN: "State", PL: "Stan", JA: "状態"}
	EntityPending = Message{EN: "Waiting for you", PL: "Czeka na Ciebie", JA: "返事待ち"}
	EntityRequest = Message{EN: "Request", PL: "Prośba", JA: "リクエスト"}
	EntityAnswer  = Message{EN: "Last answer", PL: "Ostatnia odpowiedź", JA: "最後の返答"}
	EntityEvent   = Message{EN: "Event", PL: "Zdarzenie", JA: "イベント"}
	EntityAllow   = Message{EN: "Allow", PL: "Pozwól", JA: "許可"}
	EntityDeny    = Message{EN: "Deny", PL: "Odrzuć", JA: "拒否"}
	EntityStop    = Message{EN: "Stop", PL: "Zatrzymaj", JA: "停止"}
	EntityStopAll = Message{EN: "Stop everything", PL: "Zatrzymaj wszystko", JA: "すべて停止"}
	EntityChoice  = Message{EN: "Choice", PL: "Wybór", JA: "選択"}
	EntityPrompt  = Message{EN: "Message", PL: "Wiadomość", JA: "メッセージ"}
	EntityAgents  = Message{EN: "Agents", PL: "Agenty", JA: "エージェント"}
	EntityOnline  = Message{EN: "Connected", PL: "Połączony", JA: "接続"}
)

// Why something that was pressed in Home Assistant was not done.
var (
	EntityLookAgain = Message{EN: "Look again: it asks something else now. Nothing was done.", PL: "Spójrz jeszcze raz: teraz pyta o coś innego. Nic nie zrobiono.", JA: "もう一度確認してください。今は別のことを求めています。何もしていません。"}
	EntityNothing   = Message{EN: "Nothing waits for an answer. Nothing was done.", PL: "Nic nie czeka na odpowiedź. Nic nie zrobiono.", JA: "返事を待っているものはありません。何もしていません。"}
	EntityOnScreen  = Message{EN: "This takes more than a press. Open nod to allow it, or deny it here.", PL: "Samo naciśnięcie tu nie wystarczy. Otwórz nod, aby na to pozwolić, albo odrzuć tutaj.", JA: "ボタンだけでは許可できません。nod を開いて許可するか、ここで拒否してください。"}
	EntityNoChoice  = Message{EN: "That is not one of the choices any more. Nothing was done.", PL: "Tego nie ma już do wyboru. Nic nie zrobiono.", JA: "その選択肢はもうありません。何もしていません。"}
	EntityUntrusted = Message{EN: "nod does not know who publishes on this broker. Give the broker accounts and set [mqtt] username, or use nod's own broker.", PL: "nod nie wie, kto publikuje u tego brokera. Załóż w brokerze konta i ustaw [mqtt] username albo użyj brokera nod.", JA: "このブローカーでは誰が送ったか分かりません。ブローカーにアカウントを作り [mqtt] username を設定するか、nod のブローカーを使ってください。"}
)
