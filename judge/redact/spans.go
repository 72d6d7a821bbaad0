package redact

// Span is one secret as found in a text: s[Start:End].
type Span struct {
	Start, End int
	Kind       Kind
	// Form tells that the value's own form gives it away; else only its place
	// does: a telling name before it, a user and a host around it.
	Form bool
}

// Spans returns the secrets of s in order, without overlap, values left where
// they are: the caller must not show them. Like Text it errs towards finding too
// much, dummies included.
func Spans(s string) []Span {
	form := exact(s)
	byForm := make(map[int]bool, len(form))
	for _, f := range form {
		byForm[f.start] = true
	}
	var out []Span
	for _, f := range merge(form, assigned(s)) {
		out = append(out, Span{f.start, f.end, f.kind, byForm[f.start]})
	}
	return out
}
