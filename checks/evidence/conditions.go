package evidence

func (s span) has(i int) bool { return s.from <= i && i < s.to }

func (s span) moved(n int) span {
	if s.to == 0 {
		return s
	}
	return span{s.from + n, s.to + n}
}

// deciding lists the steps of s that cannot fail without s failing.
func (p *flowParser) deciding(s span) []int {
	var list []int
	for i := s.from; i < s.to; i++ {
		if st := &p.steps[i]; !st.masked && st.piped == "" && !harmless(st.words) {
			list = append(list, i)
		}
	}
	return list
}

// depend marks that the steps from the given one on run only where those that
// decide went well, or where one of them went ill.
func (p *flowParser) depend(deciding []int, from int, well bool) {
	then := span{from, len(p.steps)}
	for _, i := range deciding {
		st := &p.steps[i]
		switch {
		case well && st.well.to == from:
			st.well.to = then.to
		case well && st.well.to == 0:
			st.well = then
		case !well && len(deciding) == 1 && st.ill.to == 0:
			st.ill = then
		}
	}
}

// joint tells that the status of s is that of more than one command.
func (p *flowParser) joint(s span) bool {
	n := 0
	for i := s.from; i < s.to; i++ {
		if reads := i > s.from && p.steps[i-1].piped != ""; !reads && !harmless(p.steps[i].words) {
			n++
		}
	}
	return n > 1
}
