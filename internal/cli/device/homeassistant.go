package device

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"nod/internal/cli/console"
	"nod/internal/present/hasskit"
	"nod/internal/present/words"
)

// HomeAssistantCommand writes files for Home Assistant. It asks no hub: they may be meant
// for one that does not run yet.
func HomeAssistantCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("homeassistant package|blueprint|sentences|lovelace", words.TopicHomeAssistant)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return c.NoSuchCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	cmd.AddCommand(hassPackageCommand(c), hassBlueprintCommand(c), hassSentencesCommand(c), hassLovelaceCommand(c))
	return cmd
}

// hassKit is what the four have in common: what is made, and where it goes.
type hassKit struct {
	hasskit.Options
	language, owner, output, dir string
}

func hassFlags(c *console.Console, cmd *cobra.Command, k *hassKit) {
	f := cmd.Flags()
	f.StringVar(&k.Prefix, "prefix", "claude", c.Say(words.FlagHassPrefix))
	f.StringVar(&k.language, "language", "", c.Say(words.FlagHassLanguage))
	f.StringVar(&k.output, "output", "", c.Say(words.FlagHassOutput))
	f.StringVar(&k.dir, "dir", "", c.Say(words.FlagHassDir))
}

// hassOptions is the options; an empty language is that of the person.
func hassOptions(c *console.Console, cmd *cobra.Command, k *hassKit) (hasskit.Options, error) {
	k.Say, k.Owner = c.Printer, hasskit.Owner(k.owner)
	if k.language != "" {
		say, ok := words.Speaks(k.language)
		if !ok {
			return k.Options, c.Misuse(cmd, c.Say(words.HasskitLanguage, k.language))
		}
		k.Say = say
	}
	if k.output != "" && k.dir != "" {
		return k.Options, c.Misuse(cmd, c.Say(words.HasskitOnePlace))
	}
	return k.Options, nil
}

func hassPackageCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("package [--device NAME] [--dial ENTITY] [--language en|pl|ja] [--output FILE | --dir CONFIG]", words.TopicHassPackage)
	var k hassKit
	hassFlags(c, cmd, &k)
	f := cmd.Flags()
	f.StringVar(&k.Device, "device", "", c.Say(words.FlagHassDevice))
	f.StringVar(&k.Satellite, "satellite", "", c.Say(words.FlagHassSatellite))
	f.StringVar(&k.Ring, "ring", "", c.Say(words.FlagHassRing))
	f.StringVar(&k.RingAction, "ring-action", "", c.Say(words.FlagHassRingAction))
	f.StringVar(&k.MediaPlayer, "media-player", "", c.Say(words.FlagHassPlayer))
	f.StringVar(&k.Button, "button", "", c.Say(words.FlagHassButton))
	f.StringVar(&k.Dial, "dial", "", c.Say(words.FlagHassDial))
	f.StringVar(&k.TTS, "tts", "", c.Say(words.FlagHassTTS))
	cmd.RunE = hassWrite(c, &k, func(o hasskit.Options) ([]hasskit.File, error) {
		files, err := hasskit.Package(o)
		if guessed := o.Device == "" && (o.Satellite == "" || o.Ring == "" || o.MediaPlayer == "" || o.Button == ""); err == nil && guessed {
			err = c.Warn(c.Say(words.HasskitGuessed))
		}
		return files, err
	}, words.HasskitPackageNext)
	return cmd
}

// hassWrite is how each of them is made and put where it was wanted.
func hassWrite(c *console.Console, k *hassKit, made func(hasskit.Options) ([]hasskit.File, error), next words.Message) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		o, err := hassOptions(c, cmd, k)
		if err != nil {
			return err
		}
		files, err := made(o)
		if err != nil {
			return err
		}
		return writeHass(c, *k, files, next)
	}
}

func hassBlueprintCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("blueprint [--language en|pl|ja] [--output FILE | --dir CONFIG]", words.TopicHassBlueprint)
	var k hassKit
	hassFlags(c, cmd, &k)
	cmd.RunE = hassWrite(c, &k, hasskit.Blueprint, words.HasskitBlueprintNext)
	return cmd
}

func hassSentencesCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("sentences [--owner nod|homeassistant] [--language en|pl|ja] [--output FILE | --dir CONFIG]", words.TopicHassSentences)
	var k hassKit
	hassFlags(c, cmd, &k)
	cmd.Flags().StringVar(&k.owner, "owner", string(hasskit.ByNod), c.Say(words.FlagHassOwner))
	cmd.RunE = hassWrite(c, &k, func(o hasskit.Options) ([]hasskit.File, error) {
		files, err := hasskit.Sentences(o)
		if err == nil && k.dir == "" {
			err = c.Warn(c.Say(words.HasskitBeside))
		}
		return files, err
	}, words.HasskitSentencesNext)
	return cmd
}

func hassLovelaceCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("lovelace [--agent NAME]... [--owner nod|homeassistant] [--language en|pl] [--output FILE | --dir CONFIG]", words.TopicHassLovelace)
	var k hassKit
	hassFlags(c, cmd, &k)
	cmd.Flags().StringVar(&k.owner, "owner", string(hasskit.ByNod), c.Say(words.FlagHassOwner))
	agents := cmd.Flags().StringArray("agent", nil, c.Say(words.FlagHassAgent))
	cmd.RunE = hassWrite(c, &k, func(o hasskit.Options) ([]hasskit.File, error) { return hasskit.Lovelace(o, *agents) }, words.HasskitLovelaceNext)
	return cmd
}

// writeHass puts files where they are wanted: below Home Assistant's folder, or the
// first of them into a file or on stdout.
func writeHass(c *console.Console, k hassKit, files []hasskit.File, next words.Message) error {
	if k.dir == "" && k.output == "" {
		_, err := c.Stdout.Write(files[0].Data)
		return err
	}
	to := func(f hasskit.File) string { return filepath.Join(k.dir, filepath.FromSlash(f.Name)) }
	if k.output != "" {
		files, to = files[:1], func(hasskit.File) string { return k.output }
	}
	for _, f := range files {
		err := os.MkdirAll(filepath.Dir(to(f)), 0o755)
		if err == nil {
			err = os.WriteFile(to(f), f.Data, 0o644)
		}
		if err != nil {
			return console.Fail(console.ExitFailed, c.Say(words.ESPHomeNotWritten, to(f))+" "+whyNot(err))
		}
	}
	return c.Println(c.Page().Wrap(c.Say(next, to(files[0]))))
}
