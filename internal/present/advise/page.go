package advise

import (
	"strconv"

	"nod/internal/present/words"
)

// page returns one page of buttons. The first group begins at page 0; each further group is reached by a button made
// with leadsTo, and has a way back. A group that does not fit into one row wraps around.
func (s Situation) page(groups [][]Suggestion, most int) []Suggestion {
	var pages [][]Suggestion
	var starts []int
	for i, g := range groups {
		starts = append(starts, len(pages))
		pages = append(pages, s.split(g, most, len(pages), i > 0)...)
	}
	if len(pages) == 0 {
		return nil
	}
	at := s.Page
	if at < 0 || at >= len(pages) {
		at = 0 // the moment has changed since that page was shown
	}
	for i, b := range pages[at] {
		if b.Do.Kind == Page && b.Do.Page < 0 { // it leads to a group
			group := -b.Do.Page
			if group >= len(starts) || starts[group] >= len(pages) {
				continue
			}
			pages[at][i].Do.Page = starts[group]
		}
	}
	return pages[at]
}

// leadsTo is a button to the beginning of a group, whose page is not known yet.
func leadsTo(group int) Act { return Act{Kind: Page, Page: -group} }

// split splits a group into pages; the last button of each leads to the next.
func (s Situation) split(group []Suggestion, most, first int, back bool) [][]Suggestion {
	if len(group) == 0 {
		return nil
	}
	if !back && len(group) <= most {
		return [][]Suggestion{group}
	}
	if back && len(group) < most {
		return [][]Suggestion{append(group, s.back())}
	}
	room := max(1, most-1)
	if most == 1 { // one button cannot both act and lead on: only the first is shown
		return [][]Suggestion{group[:1]}
	}
	var pages [][]Suggestion
	for from := 0; from < len(group); from += room {
		page := append([]Suggestion{}, group[from:min(len(group), from+room)]...)
		next := first + len(pages) + 1
		switch {
		case from+room < len(group):
			page = append(page, s.more(next))
		case back:
			page = append(page, s.back())
		default:
			page = append(page, s.more(first))
		}
		pages = append(pages, page)
	}
	return pages
}

func (s Situation) more(page int) Suggestion {
	return Suggestion{ID: "page-" + strconv.Itoa(page), Label: s.Say.Say(words.AdviseMore), Emoji: "➡️", Do: Act{Kind: Page, Page: page}}
}

func (s Situation) back() Suggestion {
	return Suggestion{ID: "page-0", Label: s.Say.Say(words.AdviseBack), Emoji: "⬅️", Do: Act{Kind: Page}}
}
