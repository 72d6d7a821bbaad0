package outline

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Code returns a script with its comments blanked out; offsets and lines stay.
// The language is sh, python or node; any other text comes back as it is.
func Code(lang, src string) string {
	switch lang {
	case "python":
		return blankComments(src, true)
	case "node":
		if strings.HasPrefix(src, "#!") {
			src = "//" + src[2:]
		}
		return blankComments(src, false)
	case "sh":
		return shellCode(src)
	}
	return src
}

func shellCode(src string) string {
	if len(src) > maxText || tooDeep(src) {
		return src
	}
	b := []byte(src)
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	file, err := parser.Parse(strings.NewReader(src), "")
	if err != nil && file == nil {
		return src
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			for i := int(c.Pos().Offset()); i < int(c.End().Offset()) && i < len(b); i++ {
				if b[i] != '\n' {
					b[i] = ' '
				}
			}
		}
		return true
	})
	return string(b)
}
