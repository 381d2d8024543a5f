// Package settings reads and edits the settings files of Claude Code.
//
// A settings file belongs to the person, not to nod: what nod did not write stays byte for byte, comments
// included, and Remove restores the file as it was. Nothing here prints, exits or reads the environment;
// paths are arguments (DefaultPaths computes the usual ones).
package settings
