package judge

import (
	"errors"
	"fmt"
)

// OK is the field of a custom question that names no fields of its own.
const OK = "ok"

// Custom makes the Spec of a question of the policy. Without fields the answer is
// {"ok", "reason"} and blocks when ok is false. With fields formula tells when to
// block; one without the other is an error.
func Custom(check, question string, fields []Field, formula string) (Spec, error) {
	s := Spec{Check: check, Guide: question, Fields: fields, Formula: formula}
	switch {
	case check == "" || question == "":
		return Spec{}, errors.New("a custom question needs an id and a text")
	case len(fields) == 0 && formula != "":
		return Spec{}, errors.New("a block formula needs fields")
	case len(fields) == 0:
		s.Fields = []Field{{Name: OK, Meaning: "nothing is wrong with the text by this question", Required: true}}
		s.Formula = "NOT " + OK
	case formula == "":
		return Spec{}, errors.New("fields need a block formula")
	}
	names := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		if !isName(f.Name) || f.Name == "reason" {
			return Spec{}, fmt.Errorf("field %q: a field is a word of small letters, digits and _, and not \"reason\"", f.Name)
		}
		names[i] = f.Name
	}
	var err error
	if s.Block, err = ParseFormula(s.Formula, names); err != nil {
		return Spec{}, err
	}
	return s, nil
}

// isName tells a field's name; the operators of a formula are none.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != "" && s != "and" && s != "or" && s != "not"
}
