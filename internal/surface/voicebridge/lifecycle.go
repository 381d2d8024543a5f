package voicebridge

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"nod"
	"nod/internal/present/words"
)

// Creation opens a conversation. A client that chooses the agent_id can send it again
// after a broken connection, and nothing is opened or said twice.
type Creation struct {
	Project     agentKey      `json:"project_id,omitempty"`
	ProjectName string        `json:"project_name,omitempty"`
	Persona     string        `json:"persona_slug,omitempty"`
	Prompt      string        `json:"prompt,omitempty"` // what to say first
	Agent       nod.AgentID   `json:"agent_id,omitempty"`
	Message     nod.MessageID `json:"message_id,omitempty"`
	wants
}

func (c *call) create() error {
	var o Creation
	if err := c.decode(&o, &o.wants); err != nil {
		return err
	}
	who, folder, err := c.assistant(&o)
	if err != nil {
		return err
	}
	o.Prompt = strings.TrimSpace(o.Prompt)
	if err := c.sayable(nil, o.Prompt, false); err != nil {
		return err
	}
	switch {
	case o.Agent == "":
		o.Agent = nod.AgentID(newID())
	case o.Message == "":
		o.Message = nod.MessageID(o.Agent)
	}
	opened, err := c.desk().Open(c.r.Context(), nod.Opening{ID: o.Agent, Assistant: who.Name, Folder: folder, Language: c.language(o.Language)})
	if err != nil {
		return err
	}
	s, err := c.scene()
	if err != nil {
		return err
	}
	one := c.with(s, opened)
	body := c.naming(opened, map[string]any{"assistant": who.Name, "tmux_session_name": nil})
	if o.Prompt == "" {
		v := Voice{Status: c.say.Say(words.VoiceOpened, one.name), Next: c.say.Say(words.VoiceWhatToDo)}
		body["message"] = v.Status
		return c.answerWith(http.StatusCreated, v, body)
	}
	m, err := one.message(Command{Text: o.Prompt, Message: o.Message})
	if err != nil {
		return err
	}
	return one.deliver(m, http.StatusCreated, body)
}

// language is what a conversation is opened in, if the client names one. A browser's
// header does not count: it says how pages look, not what the person speaks.
func (c *call) language(wish string) string {
	if wish == "" {
		wish = c.values.Get("language")
	}
	return wish
}

// assistant finds whom to talk to, and where: by the assistant's name, by the folder it
// works in, or the first one, in a folder where an agent has worked.
func (c *call) assistant(o *Creation) (who nod.Assistant, folder string, err error) {
	list, err := c.desk().Assistants(c.r.Context())
	if err != nil {
		return who, "", err
	}
	if len(list) == 0 {
		err := nod.Errorf(nod.Unavailable, "this hub keeps no conversations: it has no assistant. Start an agent in a terminal, and it appears here by itself")
		return who, "", &problem{error: err, status: http.StatusServiceUnavailable, word: "no_assistant", voice: Voice{Status: c.say.Say(words.VoiceNoAssistant), Next: c.say.Say(words.VoiceStartIt)}}
	}
	where := cmp.Or(o.ProjectName, string(o.Project))
	if o.Persona != "" {
		i := slices.IndexFunc(list, func(a nod.Assistant) bool { return strings.EqualFold(a.Name, o.Persona) || inFolder(a, o.Persona) })
		if i < 0 {
			return who, "", c.noAssistant(list, o.Persona)
		}
		folder, err = c.folder(where, list[i])
		return list[i], folder, err
	}
	if where == "" {
		return list[0], "", nil
	}
	if i := slices.IndexFunc(list, func(a nod.Assistant) bool { return strings.EqualFold(a.Name, where) || inFolder(a, where) }); i >= 0 {
		return list[i], "", nil
	}
	if folder, err = c.folder(where, list[0]); err == nil && folder == "" {
		err = c.noAssistant(list, where)
	}
	return list[0], folder, err
}

func inFolder(a nod.Assistant, text string) bool {
	return a.Cwd != "" && isProject(text, "", a.Host, a.Cwd)
}

// folder is the one folder on the assistant's machine that a text names; empty: none,
// or the assistant's own.
func (c *call) folder(where string, who nod.Assistant) (string, error) {
	if where == "" || strings.EqualFold(where, who.Name) || inFolder(who, where) {
		return "", nil
	}
	all, err := c.allProjects()
	if err != nil {
		return "", err
	}
	all = slices.DeleteFunc(all, func(p Project) bool { return p.Host != who.Host || !isProject(where, "", p.Host, p.Path) })
	switch len(all) {
	case 0:
		return "", nil
	case 1:
		return all[0].Path, nil
	}
	err = nod.Errorf(nod.Invalid, "%d folders are called %q: send project_id; GET /api/projects lists them", len(all), nod.Fold(nod.OneLine(where), 60))
	return "", &problem{error: err, status: http.StatusBadRequest, word: "ambiguous_project", voice: Voice{Status: c.say.Say(words.VoiceUnclear), Next: c.say.Say(words.VoiceWhichOne)}}
}

// noAssistant says that there is neither an assistant nor a folder of a name.
func (c *call) noAssistant(list []nod.Assistant, wanted string) error {
	v := Voice{Status: c.say.Say(words.VoiceNoSuchAssistant), Next: c.say.Say(words.VoiceWhichOne)}
	for _, a := range list {
		v.Results = append(v.Results, spokenName(a.Name))
	}
	err := nod.Errorf(nod.NotFound, "there is no assistant %q, and no folder of that name in which an agent has worked", nod.Fold(nod.OneLine(wanted), 60))
	return &problem{error: err, status: http.StatusNotFound, word: "assistant_not_found", voice: v, more: map[string]any{"assistants": list}}
}

// hint tells an assistant how to answer a person who listens.
func (s speaker) hint(talk *nod.Conversation) string {
	text := "Spoken: the answer is read aloud. No Markdown."
	if s.much < detailed {
		text = "Spoken: the answer is read aloud. Three sentences at most, no Markdown."
	}
	if talk.Language != "" {
		text += fmt.Sprintf(" Answer in the language %q.", talk.Language)
	}
	return text
}

// exit is how Claude Code is asked to end.
const exit = "/exit"

// shutdown interrupts an agent, and ends it if it can be spoken to.
func (c *agentCall) shutdown() error {
	a, name := c.agent, c.name
	atWork := a.State == nod.AgentWorking || a.State == nod.AgentWaiting
	ends := a.Alive() && a.Able(nod.CanSay) && a.Kind == "claude"
	if a.Alive() && a.Talk != nil {
		return c.leave()
	}
	if !a.Alive() || !ends && !(atWork && a.Able(nod.CanInterrupt)) {
		err := nod.Errorf(nod.Unreachable, "%s cannot be stopped from here: it has ended, or only its own terminal can end it", a.Name)
		return &problem{error: err, status: http.StatusUnprocessableEntity, word: "cannot_stop", voice: Voice{Status: c.say.Say(words.VoiceCannotStop, name), Next: c.say.Say(words.VoiceItsOwn)}}
	}
	if atWork {
		if _, err := c.desk().Interrupt(c.r.Context(), a.ID); err != nil {
			return err
		}
	}
	v := Voice{Status: c.say.Say(words.VoiceTold, name)}
	if ends {
		m := nod.Message{ID: nod.MessageID(newID()), Agent: a.ID, Text: exit, WhenBusy: nod.Interrupt}
		if _, err := c.desk().Say(c.r.Context(), m); err != nil {
			return err
		}
		v.Status = c.say.Say(words.VoiceToldEnd, name)
	}
	return c.answerWith(http.StatusOK, v, c.naming(a, map[string]any{"message": v.Status, "ending": ends}))
}

// leave ends a conversation at once.
func (c *agentCall) leave() error {
	if err := c.desk().Leave(c.r.Context(), c.agent.ID); err != nil {
		return err
	}
	v := Voice{Status: c.say.Say(words.VoiceEnded, c.name)}
	return c.answerWith(http.StatusOK, v, c.naming(c.agent, map[string]any{"message": v.Status, "ending": true}))
}

func (c *agentCall) markRead() error {
	c.read.mark(c.agent.ID, c.now.Seq)
	return c.answerWith(http.StatusOK, Voice{Status: c.say.Say(words.VoiceMarkedRead)}, c.naming(c.agent, map[string]any{"ok": true}))
}
