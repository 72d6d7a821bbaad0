package judge_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxFormula bounds a formula in bytes; its brackets nest no deeper than it is long.
const maxFormula = 500

// parseFormula reads a block formula over the names in fields, so that what a Spec says of itself can be held to what it does:
// AND, OR, NOT in any case or as &&, ||, !, and brackets; NOT binds tightest,
// then AND. The result reads a field that it is not given as false.
func parseFormula(text string, fields []string) (func(map[string]bool) bool, error) {
	if len(text) > maxFormula {
		return nil, fmt.Errorf("formula of more than %d bytes", maxFormula)
	}
	p := formula{words: formulaWords(text), fields: fields}
	f, err := p.either()
	if err != nil {
		return nil, err
	}
	if p.at < len(p.words) {
		return nil, fmt.Errorf("formula: %q is not expected here", p.words[p.at])
	}
	return f, nil
}

type predicate = func(map[string]bool) bool

type formula struct {
	words  []string
	at     int
	fields []string
}

// formulaWords splits into names, operators and brackets.
func formulaWords(text string) []string {
	spaced := strings.NewReplacer("(", " ( ", ")", " ) ", "&&", " AND ", "||", " OR ", "!", " NOT ").Replace(text)
	return strings.Fields(spaced)
}

// next takes the word if it is the one wanted, in any case.
func (p *formula) next(word string) bool {
	if p.at < len(p.words) && strings.EqualFold(p.words[p.at], word) {
		p.at++
		return true
	}
	return false
}

func (p *formula) either() (predicate, error) {
	left, err := p.both()
	for err == nil && p.next("OR") {
		a := left
		var b predicate
		b, err = p.both()
		left = func(f map[string]bool) bool { return a(f) || b(f) }
	}
	return left, err
}

func (p *formula) both() (predicate, error) {
	left, err := p.one()
	for err == nil && p.next("AND") {
		a := left
		var b predicate
		b, err = p.one()
		left = func(f map[string]bool) bool { return a(f) && b(f) }
	}
	return left, err
}

func (p *formula) one() (predicate, error) {
	switch {
	case p.at >= len(p.words):
		return nil, errors.New("formula: something is missing at the end")
	case p.next("NOT"):
		a, err := p.one()
		return func(f map[string]bool) bool { return !a(f) }, err
	case p.next("("):
		a, err := p.either()
		if err == nil && !p.next(")") {
			err = errors.New("formula: a closing bracket is missing")
		}
		return a, err
	}
	name := p.words[p.at]
	if !slices.Contains(p.fields, name) {
		return nil, fmt.Errorf("formula: %q is none of the fields %s", name, strings.Join(p.fields, ", "))
	}
	p.at++
	return func(f map[string]bool) bool { return f[name] }, nil
}
