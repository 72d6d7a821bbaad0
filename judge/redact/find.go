package redact

// find returns the secrets of s in order, without overlap.
func find(s string) []span {
	return merge(exact(s), assigned(s), encoded(s))
}

// exact finds what is known by its own form.
func exact(s string) []span {
	var out []span
	x := index()
	from := 0 // the end of the last find
	for i := 0; i+1 < len(s); i++ {
		if !x.pairs[pair(s[i], s[i+1])] {
			continue
		}
		if n := placeholderAt(s, i); n > 0 {
			i += n - 1
			from = i + 1
			continue
		}
		if start, end, kind := x.at(s, i, from); end > 0 {
			out = append(out, span{start, end, kind})
			i, from = end-1, end
		}
	}
	return out
}

// merge joins the finds of several readers. An exact find names its kind even
// where a wider one (a whole assigned value, an encoded run) covers it; a wider
// one with several exact finds inside gives way to them.
func merge(exact []span, wider ...[]span) []span {
	out := exact
	for _, list := range wider {
		out = join(out, list)
	}
	return out
}

func join(known, wider []span) []span {
	if len(wider) == 0 {
		return known
	}
	out := make([]span, 0, len(known)+len(wider))
	k, at := 0, 0
	for _, w := range wider {
		if w.start = max(w.start, at); w.start >= w.end {
			continue
		}
		for k < len(known) && known[k].end <= w.start {
			out = append(out, known[k])
			k++
		}
		inside := k
		for inside < len(known) && known[inside].start < w.end {
			inside++
		}
		switch inside - k {
		case 0:
			out = append(out, w)
		case 1:
			f := known[k]
			out = append(out, span{min(f.start, w.start), max(f.end, w.end), f.kind})
		default:
			out = append(out, known[k:inside]...)
		}
		k = inside
		at = out[len(out)-1].end
	}
	return append(out, known[k:]...)
}
