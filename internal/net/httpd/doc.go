// Package httpd is what every HTTP surface is built on: listeners and their
// permissions, authentication, limits, errors, streams. It knows no routes.
package httpd
