package sqlite

import (
	"fmt"
	"io/fs"
	"testing"

	"nod/internal/hub/store/storetest"
)

// Two files with one number would be one step too few.
func TestEachStepOfTheSchemaIsOneFile(t *testing.T) {
	names, err := fs.Glob(files, "schema/*.sql")
	if err != nil || len(names) != len(schema()) {
		t.Errorf("%d files make %d steps: %v, %v", len(names), len(schema()), names, err)
	}
	for n := range schema() {
		if found, _ := fs.Glob(files, fmt.Sprintf("schema/%d_*.sql", n+1)); len(found) != 1 {
			t.Errorf("step %d is %v", n+1, found)
		}
	}
}

func TestSubscribersOutliveTheProcess(t *testing.T) {
	path := file(t)
	storetest.SubscriptionsDurable(t, func(t *testing.T) storetest.SubscriptionStore { return quick(t, path) })
}
