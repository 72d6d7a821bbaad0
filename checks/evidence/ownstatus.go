package evidence

// OwnStatus is the exit status of the run itself, where the client's word on the
// call is one: not what a filter, a later command or "|| true" left of it, and not
// what the output says. ok is false where that is not known.
func (v Verification) OwnStatus(c Call) (status int, ok bool) {
	switch {
	case v.Masked, v.Background, c.Background, c.NoStatus:
		return 0, false
	case v.Kind == CI:
		return 0, false // it says whether the reader could ask, not how the pipeline ended
	case !c.Failed:
		return 0, true
	case v.Kind == Hook, !v.Last, neverRan(c.Output):
		return 0, false // the commit itself may be what failed, or another command
	}
	return exitStatus(c.Output)
}
