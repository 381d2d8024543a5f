package voicebridge

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"strings"

	"nod"
	"nod/internal/present/words"
)

// FileMetadata describes a file that was sent, but never its path.
type FileMetadata struct {
	Original string `json:"original_filename"`
	Stored   string `json:"stored_filename"` // the attachment's id
	Type     string `json:"file_type"`       // image, document, text, other
	MIME     string `json:"mime_type"`
	Size     int64  `json:"file_size"`
	URL      string `json:"serving_url"`
}

// longestField bounds the text that comes with a file.
const longestField = 64 << 10

// upload hands a file to an agent, with text if there is any. It first checks that the
// agent can be reached, so that no file is stored in vain.
func (c *agentCall) upload() error {
	a := c.agent
	if !a.Alive() || !a.Able(nod.CanSay) {
		err := nod.Errorf(nod.Unreachable, "%s can be answered from here, but not spoken to: type into its own terminal", a.Name)
		return &problem{error: err, status: http.StatusServiceUnavailable, word: "no_way_to_agent", voice: Voice{Status: c.say.Say(words.VoiceNoWay, c.name), Next: c.say.Say(words.VoiceItsOwn)}}
	}
	if open := c.now.open(a.ID); len(open) > 0 {
		err := nod.Errorf(nod.Conflict, "%s asks something: answer it first, then send the file", a.Name)
		return &problem{error: err, status: http.StatusConflict, word: "wrong_state", voice: c.asked(open[0], c.name)}
	}
	form, err := c.r.MultipartReader()
	if err != nil {
		return nod.Errorf(nod.Invalid, "send the file as multipart/form-data, in the field file").Because(err)
	}
	file, text, err := c.parts(form)
	if err != nil {
		return err
	}
	if err := c.sayable(a, text, c.values.Get("confirm") == "true"); err != nil {
		return err
	}
	m, err := c.message(Command{Text: text})
	if err != nil {
		return err
	}
	m.Files = []nod.Attachment{file}
	return c.deliver(m, http.StatusOK, map[string]any{"file_metadata": metadataOf(file)})
}

// parts reads the one file and the text of a form.
func (c *call) parts(form *multipart.Reader) (file nod.Attachment, text string, err error) {
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return file, "", tooMuch(err)
		}
		switch {
		case part.FormName() == "file" && file.ID == "":
			if file, err = c.Files.Keep(c.r.Context(), part.FileName(), part); err != nil {
				return file, "", tooMuch(err)
			}
		case part.FormName() == "text" && text == "":
			words, err := io.ReadAll(io.LimitReader(part, longestField))
			if err != nil {
				return file, "", tooMuch(err)
			}
			text = strings.TrimSpace(strings.ToValidUTF8(string(words), ""))
		default:
			return file, "", nod.Errorf(nod.Invalid, "the form holds one field file and, if you like, one field text")
		}
	}
	if file.ID == "" {
		return file, "", nod.Errorf(nod.Invalid, "there is no file in the form: send it in the field file")
	}
	return file, text, nil
}

// tooMuch distinguishes a form that is too large from one that did not arrive.
func tooMuch(err error) error {
	var large *http.MaxBytesError
	var ours *nod.Error
	switch {
	case errors.As(err, &large):
		return nod.Errorf(nod.TooLarge, "the file is larger than %d MB", bodyRoom>>20)
	case errors.As(err, &ours):
		return err
	}
	return nod.Errorf(nod.Invalid, "the form did not arrive whole").Because(err)
}

func metadataOf(a nod.Attachment) FileMetadata {
	kind := mime.TypeByExtension(filepath.Ext(a.Name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	kind, _, _ = strings.Cut(kind, ";")
	f := FileMetadata{Original: a.Name, Stored: a.ID, Type: "other", MIME: kind, Size: a.Size, URL: uploadPath + a.ID}
	switch {
	case strings.HasPrefix(kind, "image/"):
		f.Type = "image"
	case kind == "application/pdf":
		f.Type = "document"
	case strings.HasPrefix(kind, "text/"), kind == "application/json":
		f.Type = "text"
	}
	return f
}
