package evidence

// set is a set of small numbers. Its methods give new sets; a set may be shared.
type set []uint64

func (s set) has(i int) bool { return i/64 < len(s) && s[i/64]&(1<<(i%64)) != 0 }

func (s set) with(i int) set {
	out := make(set, max(len(s), i/64+1))
	copy(out, s)
	out[i/64] |= 1 << (i % 64)
	return out
}

func (s set) or(t set) set {
	out := make(set, max(len(s), len(t)))
	copy(out, s)
	for i := range t {
		out[i] |= t[i]
	}
	return out
}

func (s set) and(t set) set {
	out := make(set, min(len(s), len(t)))
	for i := range out {
		out[i] = s[i] & t[i]
	}
	return out
}

func (s set) less(t set) set {
	out := append(set{}, s...)
	for i := range min(len(s), len(t)) {
		out[i] &^= t[i]
	}
	return out
}
