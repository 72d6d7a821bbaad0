package redact

import "strings"

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
		if !x.pairs.has(s[i], s[i+1]) {
			continue
		}
		if n := placeholderAt(s, i); n > 0 {
			i += n - 1
			from = i + 1
			continue
		}
		if start, end, kind := x.at(s, i, from); end > 0 {
			out = append(out, span{start, end, kind})
			if kind == awsIDKind {
				if start, end := awsPair(s, end); end > 0 {
					out = append(out, span{start, end, "aws-secret-key"})
				}
				end = out[len(out)-1].end
			}
			i, from = end-1, end
		}
	}
	return out
}

const awsIDKind Kind = "aws-access-key"

// awsSecret is the length of a secret access key, and awsReach how far behind
// the id it may stand without a name, as in the columns of a table.
const (
	awsSecret = 40
	awsReach  = 64
)

// awsPair finds the secret that stands beside the id that ends at i.
func awsPair(s string, i int) (start, end int) {
	for start = i; start < min(len(s), i+awsReach) && s[start] != '\n'; start = end + 1 {
		end = start
		for end < len(s) && end-start <= awsSecret && (alnum.has(s[end]) || s[end] == '/' || s[end] == '+') {
			end++
		}
		if end-start == awsSecret && mixed(s[start:end]) && strings.ContainsAny(s[start:end], "0123456789/+") {
			return start, end
		}
	}
	return 0, 0
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
