// Package settings reads and edits the settings files of Claude Code.
//
// A settings file belongs to the person, not to nod: whatever nod did not write stays byte for byte,
// comments included, and Remove gives the file back as it was found. Nothing here prints, exits or
// looks at the environment; paths come in as arguments (DefaultPaths computes the usual ones).
package settings
