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
)

// file is one file, as it is and compressed.
type file struct {
	kind   string // Content-Type
	etag   string
	body   []byte
	zipped []byte // nil: no smaller
}

// assets is all files by their addresses.
type assets struct {
	version string // changes with every byte of the app
	files   map[string]file
}

// marks are placeholders in the files.
const (
	versionMark = "@version"
	filesMark   = "/*@files*/ []"
	preloadMark = "<!--preload-->"
)

// types are listed here, because the tables of machines differ.
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

// load reads the app, adds its texts and prepares everything to be served.
func load(source fs.FS) (*assets, error) {
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
	return prepare(raw)
}

var languages = [...]string{"en", "pl", "ja"}

// prepare replaces the marks and compresses.
func prepare(raw map[string][]byte) (*assets, error) {
	a := &assets{version: versionOf(raw), files: map[string]file{}}
	list, err := json.Marshal(a.shell(raw))
	if err != nil {
		return nil, err
	}
	for name, body := range raw {
		if marked(name) {
			body = bytes.ReplaceAll(body, []byte(preloadMark), a.preloads(raw))
			body = bytes.ReplaceAll(body, []byte(filesMark), list)
			body = bytes.ReplaceAll(body, []byte(versionMark), []byte(a.version))
		}
		if a.files[a.address(name)], err = newFile(name, body); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// marked reports whether a file has a fixed address; it names the addresses of others.
func marked(name string) bool {
	return name == "index.html" || name == "sw.js" || name == "manifest.webmanifest"
}

// address is where a browser finds a file. Nearly all have the version in it, so that
// they can be cached for ever.
func (a *assets) address(name string) string {
	switch {
	case name == "index.html":
		return "/"
	case marked(name):
		return "/" + name
	case strings.HasPrefix(name, "words/"):
		return "/app/" + name
	}
	return "/app/" + a.version + "/" + name
}

// shell is what the service worker caches: everything without a fixed address.
func (a *assets) shell(raw map[string][]byte) []string {
	var list []string
	for name := range raw {
		if !marked(name) {
			list = append(list, a.address(name))
		}
	}
	slices.Sort(list)
	return list
}

// preloads are links to the modules of the first screen, so that the browser does not
// have to discover them one after the other.
func (a *assets) preloads(raw map[string][]byte) []byte {
	var out bytes.Buffer
	for _, name := range firstModules(raw) {
		fmt.Fprintf(&out, "<link rel=\"modulepreload\" href=%q>\n", a.address(name))
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
