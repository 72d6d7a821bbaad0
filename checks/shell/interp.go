package shell

func interpreterOf(name string) string { return "" }

func (a *analyzer) interpreter(idx int, st *state, cx ctx) {}
