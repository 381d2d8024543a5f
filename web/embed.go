// Package web is the web app: plain ES modules, style sheets and icons, as they
// lie here. Nothing is built, so a change is one reload away.
package web

import "embed"

// Files are what the app is made of; what checks and tries it stays outside.
//
//go:embed index.html app.js sw.js manifest.webmanifest icon.svg icons css js
var Files embed.FS
