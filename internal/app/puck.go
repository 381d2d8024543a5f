package app

import "nod/internal/httpd"

// pucks are voice pucks on a page, to try everything with a mouse.
func (h *house) pucks() []httpd.Route { return nil }
