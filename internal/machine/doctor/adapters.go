package doctor

import "context"

// adapterChecks repeat what adapters of the running hub say is wrong with them: one
// line each, and none where all is well.
type adapterChecks struct{ hub *hubChecks }

func (a adapterChecks) Check(context.Context) (list []Finding) {
	if a.hub.health == nil || a.hub.health.Details == nil {
		return nil
	}
	for _, p := range a.hub.health.Problems {
		f := warn(p.Text, "")
		f.ID, f.Title = "adapter_"+p.Adapter, "["+p.Adapter+"]"
		list = append(list, f)
	}
	return list
}
