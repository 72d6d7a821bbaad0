package settings

import (
	"strconv"
	"strings"
)

// Version is a client's version, major first. The zero value stands for one that
// is not known.
type Version [3]int

// ParseVersion reads the first three numbers of a text such as "2.1.332" or
// "2.1.332 (Claude Code)". What is no version gives the zero value.
func ParseVersion(text string) Version {
	var v Version
	fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(text), "v"))
	if len(fields) == 0 {
		return v
	}
	parts := strings.SplitN(fields[0], ".", 3)
	if len(parts) != 3 {
		return v
	}
	for i, part := range parts {
		if end := strings.IndexAny(part, "-+"); end >= 0 {
			part = part[:end]
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return Version{}
		}
		v[i] = n
	}
	return v
}

// Known reports whether v is a version at all.
func (v Version) Known() bool { return v != Version{} }

// Before reports whether v is known and older than w.
func (v Version) Before(w Version) bool {
	if !v.Known() {
		return false
	}
	for i := range v {
		if v[i] != w[i] {
			return v[i] < w[i]
		}
	}
	return false
}

// AtLeast reports whether v is known and not older than w.
func (v Version) AtLeast(w Version) bool { return v.Known() && !v.Before(w) }

// String returns the dotted form, or "unknown".
func (v Version) String() string {
	if !v.Known() {
		return "unknown"
	}
	return strconv.Itoa(v[0]) + "." + strconv.Itoa(v[1]) + "." + strconv.Itoa(v[2])
}
