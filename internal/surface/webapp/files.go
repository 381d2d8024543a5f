package webapp

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"nod/internal/present/words"
	"nod/web"
)

// file is one thing to serve, as it is and compressed.
type file struct {
	kind   string // Content-Type
	etag   string
	body   []byte
	zipped []byte // nil where it would gain nothing
}

// assets is all files by the address at which they are asked for.
type assets struct {
	version string // changes with every byte of the app
	files   map[string]file
}

// marks are what the files themselves cannot know.
const (
	versionMark = "@version"
	filesMark   = "/*@files*/ []"
	preloadMark = "<!--preload-->"
)

// types are named here: the machine's own tables differ.
var types = [...][2]string{
	{".js", "text/javascript; charset=utf-8"},
	{".css", "text/css; charset=utf-8"},
	{".html", "text/html; charset=utf-8"},
	{".svg", "image/svg+xml"},
	{".png", "image/png"},
	{".webmanifest", "application/manifest+json"},
	{".json", "application/json; charset=utf-8"},
}

func typeOf(name string) string {
	for _, t := range types {
		if strings.HasSuffix(name, t[0]) {
			return t[1]
		}
	}
	return "application/octet-stream"
}

// bind reads the app. It is done when a browser first comes, and not at start:
// most processes of this binary are hooks.
func bind(source fs.FS) (*assets, error) {
	raw := map[string][]byte{}
	err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw[name], err = fs.ReadFile(source, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	for _, lang := range languages {
		l, _ := words.WebLang(lang)
		if raw["words/"+lang+".json"], err = json.Marshal(words.Web(l)); err != nil {
			return nil, err
		}
	}
	return press(raw)
}

var languages = [...]string{"en", "pl", "ja"}

// press fills the marks in and compresses.
func press(raw map[string][]byte) (*assets, error) {
	b := &assets{version: versionOf(raw), files: map[string]file{}}
	list, err := json.Marshal(b.shell(raw))
	if err != nil {
		return nil, err
	}
	for name, body := range raw {
		if marked(name) {
			body = bytes.ReplaceAll(body, []byte(preloadMark), b.preloads(raw))
			body = bytes.ReplaceAll(body, []byte(filesMark), list)
			body = bytes.ReplaceAll(body, []byte(versionMark), []byte(b.version))
		}
		if b.files[b.address(name)], err = newFile(name, body); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// marked are the files at fixed addresses, through which all others are found.
func marked(name string) bool {
	return name == "index.html" || name == "sw.js" || name == "manifest.webmanifest"
}

// address is where a browser finds a file. All but a few carry the version, so
// that they can be kept for ever.
func (b *assets) address(name string) string {
	switch {
	case name == "index.html":
		return "/"
	case marked(name):
		return "/" + name
	case strings.HasPrefix(name, "words/"):
		return "/app/" + name
	}
	return "/app/" + b.version + "/" + name
}

// shell is what the service worker keeps: everything but itself.
func (b *assets) shell(raw map[string][]byte) []string {
	var list []string
	for name := range raw {
		if !marked(name) {
			list = append(list, b.address(name))
		}
	}
	slices.Sort(list)
	return list
}

// preloads name the modules of the first screen, so that the browser does not
// have to find them one after the other.
func (b *assets) preloads(raw map[string][]byte) []byte {
	var out bytes.Buffer
	for _, name := range firstModules(raw) {
		fmt.Fprintf(&out, "<link rel=\"modulepreload\" href=%q>\n", b.address(name))
	}
	return bytes.TrimSpace(out.Bytes())
}

func versionOf(raw map[string][]byte) string {
	names := make([]string, 0, len(raw))
	for name := range raw {
		names = append(names, name)
	}
	slices.Sort(names)
	d := sha256.New()
	for _, name := range names {
		fmt.Fprintf(d, "%s %d\n", name, len(raw[name]))
		d.Write(raw[name])
	}
	return hex.EncodeToString(d.Sum(nil))[:12]
}

func newFile(name string, body []byte) (file, error) {
	sum := sha256.Sum256(body)
	f := file{kind: typeOf(name), etag: `"` + hex.EncodeToString(sum[:8]) + `"`, body: body}
	if path.Ext(name) == ".png" {
		return f, nil
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return file{}, err
	}
	if _, err := z.Write(body); err != nil {
		return file{}, err
	}
	if err := z.Close(); err != nil {
		return file{}, err
	}
	if out.Len() < len(body) {
		f.zipped = out.Bytes()
	}
	return f, nil
}

// source is the app itself; a test may look at another.
func source() fs.FS { return web.Files }
