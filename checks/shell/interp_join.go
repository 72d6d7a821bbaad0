package shell

import (
	"slices"
	"strings"
)

func (p *interp) add(v, w val) val {
	if v.isList && w.isList {
		return val{isList: true, list: append(slices.Clip(v.list), w.list...)}
	}
	return p.concat(v, w)
}

func (p *interp) concat(v, w val) val {
	if v.alt || w.alt {
		return p.each(v, w, p.concat)
	}
	s := p.text(v) + p.text(w)
	if len(s) > maxValue || !p.a.step(len(s)/128) {
		return p.unknown("")
	}
	return known(s)
}

// each combines every value that v or w may be.
func (p *interp) each(v, w val, f func(v, w val) val) val {
	out := val{isList: true, alt: true}
	xs, ys := []val{v}, []val{w}
	if v.alt {
		xs = v.list
	}
	if w.alt {
		ys = w.list
	}
	for _, x := range xs {
		for _, y := range ys {
			if len(out.list) < 16 && !x.alt && !y.alt && p.a.step(1) {
				out.list = append(out.list, f(x, y))
			}
		}
	}
	return out
}

func (p *interp) joinPath(v, w val) val {
	if v.alt || w.alt {
		return p.each(v, w, p.joinPath)
	}
	if !v.known && !w.known {
		return p.unknown("")
	}
	s := p.text(w)
	if strings.HasPrefix(s, "/") {
		return known(s)
	}
	return known(strings.TrimSuffix(p.text(v), "/") + "/" + s)
}

// format fills the %s of a Python format.
func (p *interp) format(v, w val) val {
	args := []val{w}
	if w.isList {
		args = w.list
	}
	var b strings.Builder
	s := p.text(v)
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 || i+1 >= len(s) {
			break
		}
		b.WriteString(s[:i])
		if len(args) > 0 && alpha(s[i+1]) {
			b.WriteString(p.text(args[0]))
			args = args[1:]
		}
		s = s[i+2:]
	}
	b.WriteString(s)
	return known(b.String())
}
