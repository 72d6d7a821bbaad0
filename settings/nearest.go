package settings

import "strings"

// Nearest finds the name that a misspelt one probably means, or "": the same
// letters in another case or with other separators, one with "On" before it, or
// at most two letters off. More would be a guess.
func Nearest(name string, names []string) string {
	fold := func(s string) string {
		s = strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(s))
		if rest := strings.TrimPrefix(s, "on"); rest != s && len(rest) > 2 {
			return rest
		}
		return s
	}
	want := fold(name)
	best, bestDistance := "", 3
	for _, candidate := range names {
		if d := distance(want, fold(candidate)); d < bestDistance && d < max(1, len(want)-1) {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance counts the letters to insert, drop or change.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
