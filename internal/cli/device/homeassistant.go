package device

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"nod/internal/cli/console"
	"nod/internal/present/hasskit"
	"nod/internal/present/words"
)

// HomeAssistantCommand writes files for Home Assistant. It needs no hub: the files
// may be meant for one that does not run yet.
func HomeAssistantCommand(c *console.Console) *cobra.Command {
	return c.Group("homeassistant package|blueprint|sentences|lovelace", words.TopicHomeAssistant, "",
		hassPackage(c), hassBlueprint(c), hassSentences(c), hassLovelace(c))
}

// hassCommand writes one kind of files.
type hassCommand struct {
	*cobra.Command
	c *console.Console
	hasskit.Options
	language, owner, output, dir string
	next                         words.Message // what to do with the files
}

func newHassCommand(c *console.Console, use string, topic words.Topic, next words.Message, files func(hasskit.Options) ([]hasskit.File, error)) *hassCommand {
	h := &hassCommand{Command: c.Command(use, topic), c: c, next: next}
	f := h.Flags()
	f.StringVar(&h.Prefix, "prefix", "claude", c.Say(words.FlagHassPrefix))
	f.StringVar(&h.language, "language", "", c.Say(words.FlagHassLanguage))
	f.StringVar(&h.output, "output", "", c.Say(words.FlagHassOutput))
	f.StringVar(&h.dir, "dir", "", c.Say(words.FlagHassDir))
	h.RunE = func(*cobra.Command, []string) error {
		if err := h.checkFlags(); err != nil {
			return err
		}
		list, err := files(h.Options)
		if err != nil {
			return err
		}
		return h.save(list)
	}
	return h
}

func (h *hassCommand) ownerFlag() {
	h.Flags().StringVar(&h.owner, "owner", string(hasskit.ByNod), h.c.Say(words.FlagHassOwner))
}

// checkFlags completes the options; without --language they are in the person's.
func (h *hassCommand) checkFlags() error {
	h.Say, h.Owner = h.c.Printer, hasskit.Owner(h.owner)
	if h.language != "" {
		say, ok := words.Speaks(h.language)
		if !ok {
			return h.c.Misuse(h.Command, h.c.Say(words.HasskitLanguage, h.language))
		}
		h.Say = say
	}
	if h.output != "" && h.dir != "" {
		return h.c.Misuse(h.Command, h.c.Say(words.HasskitOnePlace))
	}
	return nil
}

func hassPackage(c *console.Console) *cobra.Command {
	h := newHassCommand(c, "package [--device NAME] [--dial ENTITY] [--language en|pl|ja] [--output FILE | --dir CONFIG]", words.TopicHassPackage, words.HasskitPackageNext,
		func(o hasskit.Options) ([]hasskit.File, error) {
			files, err := hasskit.Package(o)
			if guessed := o.Device == "" && (o.Satellite == "" || o.Ring == "" || o.MediaPlayer == "" || o.Button == ""); err == nil && guessed {
				err = c.Warn(c.Say(words.HasskitGuessed))
			}
			return files, err
		})
	f := h.Flags()
	f.StringVar(&h.Device, "device", "", c.Say(words.FlagHassDevice))
	f.StringVar(&h.Satellite, "satellite", "", c.Say(words.FlagHassSatellite))
	f.StringVar(&h.Ring, "ring", "", c.Say(words.FlagHassRing))
	f.StringVar(&h.RingAction, "ring-action", "", c.Say(words.FlagHassRingAction))
	f.StringVar(&h.MediaPlayer, "media-player", "", c.Say(words.FlagHassPlayer))
	f.StringVar(&h.Button, "button", "", c.Say(words.FlagHassButton))
	f.StringVar(&h.Dial, "dial", "", c.Say(words.FlagHassDial))
	f.StringVar(&h.TTS, "tts", "", c.Say(words.FlagHassTTS))
	f.BoolVar(&h.Options.Aliases, "aliases", false, c.Say(words.FlagHassAliases))
	return h.Command
}

func hassBlueprint(c *console.Console) *cobra.Command {
	return newHassCommand(c, "blueprint [--language en|pl|ja] [--output FILE | --dir CONFIG]", words.TopicHassBlueprint, words.HasskitBlueprintNext, hasskit.Blueprint).Command
}

func hassSentences(c *console.Console) *cobra.Command {
	var h *hassCommand
	h = newHassCommand(c, "sentences [--owner nod|homeassistant] [--language en|pl|ja] [--output FILE | --dir CONFIG]", words.TopicHassSentences, words.HasskitSentencesNext,
		func(o hasskit.Options) ([]hasskit.File, error) {
			files, err := hasskit.Sentences(o)
			if err == nil && h.dir == "" {
				err = c.Warn(c.Say(words.HasskitBeside))
			}
			return files, err
		})
	h.ownerFlag()
	return h.Command
}

func hassLovelace(c *console.Console) *cobra.Command {
	var agents []string
	h := newHassCommand(c, "lovelace [--agent NAME]... [--owner nod|homeassistant] [--language en|pl] [--output FILE | --dir CONFIG]", words.TopicHassLovelace, words.HasskitLovelaceNext,
		func(o hasskit.Options) ([]hasskit.File, error) { return hasskit.Lovelace(o, agents) })
	h.ownerFlag()
	h.Flags().StringArrayVar(&agents, "agent", nil, c.Say(words.FlagHassAgent))
	return h.Command
}

// save writes all files below Home Assistant's folder, or the first of them into
// a file or to stdout.
func (h *hassCommand) save(files []hasskit.File) error {
	if h.dir == "" && h.output == "" {
		_, err := h.c.Stdout.Write(files[0].Data)
		return err
	}
	path := func(f hasskit.File) string { return filepath.Join(h.dir, filepath.FromSlash(f.Name)) }
	if h.output != "" {
		files, path = files[:1], func(hasskit.File) string { return h.output }
	}
	for _, f := range files {
		err := os.MkdirAll(filepath.Dir(path(f)), 0o755)
		if err == nil {
			err = os.WriteFile(path(f), f.Data, 0o644)
		}
		if err != nil {
			return console.Fail(console.ExitFailed, h.c.Say(words.ESPHomeNotWritten, path(f))+" "+fileError(err))
		}
	}
	return h.c.Println(h.c.Page().Wrap(h.c.Say(h.next, path(files[0]))))
}
