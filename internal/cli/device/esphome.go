package device

import (
	"bytes"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/present/esphome"
	"nod/internal/present/words"
)

// esphomeCommand writes files for ESPHome. It needs no hub: the device may be meant
// for one that does not run yet.
func esphomeCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("esphome m5stack|voice-pe [--board BOARD] [--name NAME] [--hub URL] [--ca FILE] [--output FILE]", words.TopicDeviceESPHome)
	o := esphome.Options{Say: c.Printer}
	board := cmd.Flags().String("board", string(esphome.Core2), c.Say(words.FlagESPHomeBoard))
	cmd.Flags().StringVar(&o.Name, "name", "nod-m5stack", c.Say(words.FlagESPHomeName))
	cmd.Flags().StringVar(&o.Hub, "hub", "", c.Say(words.FlagESPHomeHub))
	ca := cmd.Flags().String("ca", "", c.Say(words.FlagESPHomeCA))
	output := cmd.Flags().String("output", "", c.Say(words.FlagESPHomeOutput))
	cmd.Args = c.Arguments(1, 1, "m5stack|voice-pe")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if args[0] == "voice-pe" {
			return writeVoicePE(c, *output)
		}
		if args[0] != "m5stack" {
			return c.Misuse(cmd, c.Say(words.ESPHomeDevice, args[0]))
		}
		o.Board = esphome.Board(strings.ToLower(*board))
		guessed := o.Hub == ""
		if err := chooseHub(c, &o, *ca); err != nil {
			return err
		}
		if *output != "" {
			o.File = filepath.Base(*output)
		}
		files, err := esphome.Files(o)
		if err != nil {
			return err
		}
		if err := warnESPHome(c, o, guessed); err != nil {
			return err
		}
		if *output == "" {
			if _, err := c.Stdout.Write(files[0].Data); err != nil {
				return err
			}
			return c.Warn(c.Say(words.ESPHomeBeside))
		}
		return saveESPHome(c, *output, o.Name, files)
	}
	return cmd
}

// writeVoicePE writes the addition for a Home Assistant Voice PE. It needs no hub: nod
// reaches the device through Home Assistant.
func writeVoicePE(c *console.Console, output string) error {
	name := ""
	if output != "" {
		name = filepath.Base(output)
	}
	files, err := esphome.VoicePE(name)
	if err != nil {
		return err
	}
	if output == "" {
		_, err = c.Stdout.Write(files[0].Data)
		return err
	}
	if _, err := writeFile(output, files[0]); err != nil {
		return console.Fail(console.ExitFailed, c.Say(words.ESPHomeNotWritten, output)+" "+fileError(err))
	}
	return c.Println(c.Page().Wrap(c.Say(words.ESPHomeVoicePE, output)))
}

// chooseHub fills in what no flag says: the address that this terminal uses, or the
// name of this machine.
func chooseHub(c *console.Console, o *esphome.Options, ca string) error {
	if o.Hub == "" {
		o.Hub = c.Getenv("NOD_URL")
	}
	if o.Hub == "" || esphome.Loopback(o.Hub) && o.Hub == c.Getenv("NOD_URL") {
		host, err := c.Hostname()
		if err != nil {
			return err
		}
		host, _, _ = strings.Cut(strings.ToLower(host), ".")
		o.Hub = "https://" + host + ".local:8742"
	}
	if ca == "" {
		ca = c.Getenv("NOD_CA")
	}
	if ca == "" || !strings.HasPrefix(o.Hub, "https:") {
		return nil
	}
	text, err := os.ReadFile(ca)
	if err == nil {
		_, err = esphome.Anchor(text)
	}
	if err != nil {
		return console.Fail(console.ExitFailed, c.Say(words.ESPHomeCA, ca, fileError(err)))
	}
	o.CA = text
	return nil
}

func fileError(err error) string {
	var file *fs.PathError
	if errors.As(err, &file) {
		return file.Err.Error()
	}
	return nod.MessageOf(err)
}

// warnESPHome says what will not work or is not safe.
func warnESPHome(c *console.Console, o esphome.Options, guessed bool) error {
	var all []string
	if guessed {
		all = append(all, c.Say(words.ESPHomeGuessed, o.Hub))
	}
	switch hub, err := url.Parse(o.Hub); {
	case err != nil:
		return err
	case hub.Scheme == "http":
		all = append(all, c.Say(words.ESPHomeClear))
	case len(o.CA) == 0:
		all = append(all, c.Say(words.ESPHomeNoCA, "http://"+hub.Host))
	}
	for _, text := range all {
		if err := c.Warn(text); err != nil {
			return err
		}
	}
	return nil
}

func saveESPHome(c *console.Console, output, name string, files []esphome.File) error {
	dir := filepath.Dir(output)
	for _, f := range files {
		kept, err := writeFile(filepath.Join(dir, filepath.FromSlash(f.Name)), f)
		if err != nil {
			return console.Fail(console.ExitFailed, c.Say(words.ESPHomeNotWritten, filepath.Join(dir, f.Name))+" "+fileError(err))
		}
		if kept {
			if err := c.Warn(c.Say(words.ESPHomeKept, filepath.Join(dir, f.Name))); err != nil {
				return err
			}
		}
	}
	return c.Println(c.Page().Wrap(c.Say(words.ESPHomeWritten, output, filepath.Join(dir, "secrets.yaml"), name)))
}

// writeFile keeps files that a person has edited.
func writeFile(name string, f esphome.File) (kept bool, err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return false, err
	}
	mode := fs.FileMode(0o644)
	if f.Yours {
		if old, err := os.ReadFile(name); err == nil {
			return !bytes.Equal(old, f.Data), nil
		}
		mode = 0o600
	}
	return false, os.WriteFile(name, f.Data, mode)
}
