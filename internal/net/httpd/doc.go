// Package httpd is the plumbing under every HTTP surface: listeners and their
// permissions, who may talk to them, limits, errors, streams. It knows no route.
package httpd
