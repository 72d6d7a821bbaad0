// Package frontmatter reads and edits the hooks of an agent file: the YAML block
// at the top of a Markdown file. YAML is parsed for positions and values only;
// edits are made on whole lines, so that comments, order, quoting, line endings
// and the body keep their bytes.
package frontmatter

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"agentguard/settings"
)

// Bounds of the YAML block, checked before the parser, which recurses.
const (
	maxSize  = 64 << 10 // bytes
	maxDepth = 100      // opening brackets and dashes inside each other
)

// File is an agent file.
type File struct {
	source []byte
	lines  [][]byte // with their line ends
	// first and last are the lines between the fences: [first, last).
	first, last int
	root        settings.Node
	loose       bool
}

// Handler is one hook entry of a file. Its Node, Group and List have no spans in
// bytes: their Start is the line they begin in, from 1.
type Handler struct {
	settings.Handler
	Line int
}

// Parse reads a file. It fails with a *settings.SyntaxError, placed in the file,
// where a client would not load the agent: no fence in the first line, no closing
// fence, YAML that does not parse.
func Parse(src []byte) (File, error) { return parseFile(src, false) }

// ParseLoose is Parse as newer clients read (Version.LooseFrontmatter): a byte
// order mark is passed over, of equal keys the last counts, and where the YAML does
// not parse, top-level values that want quotes get them. Most agent files in the
// field have such a value, a description with a colon in it.
func ParseLoose(src []byte) (File, error) { return parseFile(src, true) }

func parseFile(src []byte, loose bool) (File, error) {
	f := File{source: src, lines: slices.Collect(bytes.Lines(src)), loose: loose}
	if loose && len(f.lines) > 0 {
		f.lines[0] = bytes.TrimPrefix(f.lines[0], []byte("\ufeff"))
	}
	fence := func(i int) bool { return string(bytes.TrimRight(f.lines[i], " \t\r\n")) == "---" }
	if len(f.lines) == 0 || !fence(0) {
		return f, failure(1, 1, "the file does not begin with a line \"---\", so the client sees no agent in it")
	}
	for f.last = 1; f.last < len(f.lines) && !fence(f.last); f.last++ {
	}
	if f.last == len(f.lines) {
		return f, failure(len(f.lines), 1, "the block at the top has no closing line \"---\"")
	}
	f.first = 1
	yaml := bytes.ReplaceAll(bytes.Join(f.lines[f.first:f.last], nil), []byte("\r\n"), []byte("\n"))
	if before, _, lone := bytes.Cut(yaml, []byte("\r")); lone {
		return f, failure(2+bytes.Count(before, []byte("\n")), 1, "a line break here is a lone carriage return; save the file with ordinary line ends")
	}
	if err := bounded(yaml); err != nil {
		return f, err
	}
	root, err := parse(yaml)
	if err != nil && loose {
		if again, looseErr := parse(quoteValues(yaml), parser.AllowDuplicateMapKey()); looseErr == nil {
			root, err = again, nil
		}
	}
	if err != nil {
		return f, err
	}
	if !f.holds(root) {
		return f, failure(2, 1, "the lines of the YAML cannot be told apart")
	}
	f.root = root
	return f, nil
}

// holds reports whether every node lies in a line of the block. Edits are made on
// lines, so a parser that counts them in another way must not get that far.
func (f File) holds(n settings.Node) bool {
	ok := func(line int) bool { return line == 0 || line > f.first && line <= f.last }
	for _, m := range n.Members {
		if !ok(m.KeyStart) || !f.holds(m.Value) {
			return false
		}
	}
	for _, item := range n.Items {
		if !f.holds(item) {
			return false
		}
	}
	return ok(n.Start)
}

func failure(line, col int, msg string) *settings.SyntaxError {
	return &settings.SyntaxError{Line: line, Col: col, Msg: msg}
}

// bounded looks at the bytes alone: brackets and dashes in strings count too,
// which no real file comes near.
func bounded(yaml []byte) error {
	if len(yaml) > maxSize {
		return failure(1, 1, fmt.Sprintf("the block at the top has more than %d bytes", maxSize))
	}
	open := 0
	for i, line := range bytes.Split(yaml, []byte("\n")) {
		dashes := bytes.Count(line, []byte("- ")) + bytes.Count(line, []byte("? "))
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		if dashes > maxDepth || indent > 4*maxDepth {
			return failure(i+2, 1, "values are nested too deep")
		}
		for _, c := range line {
			switch c {
			case '[', '{':
				if open++; open > maxDepth {
					return failure(i+2, 1, "values are nested too deep")
				}
			case ']', '}':
				open = max(open-1, 0)
			}
		}
	}
	return nil
}

// parse turns the parser's tree into nodes whose Start is a line of the file.
func parse(yaml []byte, options ...parser.Option) (root settings.Node, err error) {
	defer func() { // the parser is not ours, and agent files are not either
		if r := recover(); r != nil {
			err = failure(2, 1, "the YAML cannot be read")
		}
	}()
	tree, parseErr := parser.ParseBytes(yaml, 0, options...)
	if parseErr != nil {
		return root, parserFailure(parseErr)
	}
	if len(tree.Docs) == 0 || tree.Docs[0].Body == nil {
		return settings.Node{Kind: settings.Object}, nil
	}
	if _, anchored := tree.Docs[0].Body.(*ast.AnchorNode); anchored {
		return root, failure(2, 1, "the block at the top is an anchor, not a list of keys")
	}
	root = convert(tree.Docs[0].Body, 0)
	if root.Kind == settings.Null {
		root.Kind = settings.Object
	}
	if root.Kind != settings.Object {
		return root, failure(2, 1, "the block at the top is "+root.Kind.String()+", not a list of keys")
	}
	return root, nil
}

// quoteValues puts quotes around the one-line values of top-level keys that hold
// what YAML takes for structure. It keeps lines apart as they are, and so their
// numbers.
func quoteValues(yaml []byte) []byte {
	var out []byte
	for line := range bytes.Lines(yaml) {
		text := strings.TrimRight(string(line), "\n")
		key, value, ok := strings.Cut(text, ":")
		trimmed := strings.TrimSpace(value)
		plain := strings.IndexFunc(key, func(r rune) bool {
			return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) < 0
		special := strings.ContainsAny(trimmed, "{}[]*&#!|>%@`") || strings.Contains(trimmed, ": ")
		if !ok || !plain || key == "" || value == trimmed || !special || trimmed[0] == '"' || trimmed[0] == '\'' {
			out = append(out, line...)
			continue
		}
		out = append(out, key+": "+settings.Quote(trimmed)+"\n"...)
	}
	return out
}

// parserFailure reads the place out of the parser's text: "[line:col] message".
func parserFailure(err error) *settings.SyntaxError {
	text := err.Error()
	line, col := 1, 1
	if n, scanErr := fmt.Sscanf(text, "[%d:%d]", &line, &col); scanErr == nil && n == 2 {
		_, text, _ = strings.Cut(text, "] ")
	}
	text, _, _ = strings.Cut(text, "\n")
	return failure(line+1, col, text)
}

func convert(n ast.Node, depth int) settings.Node {
	out := settings.Node{Kind: settings.Null}
	if n == nil || depth > 4*maxDepth {
		return out
	}
	if token := n.GetToken(); token != nil && token.Position != nil {
		out.Start = token.Position.Line + 1
	}
	switch v := n.(type) {
	case *ast.MappingNode:
		out.Kind = settings.Object
		for _, pair := range v.Values {
			out.Members = append(out.Members, member(pair, depth))
		}
		if len(v.Values) > 0 && !v.IsFlowStyle {
			out.Start = out.Members[0].KeyStart
		}
		if v.IsFlowStyle {
			out.End = -1
		}
	case *ast.MappingValueNode:
		out.Kind = settings.Object
		out.Members = []settings.Member{member(v, depth)}
		out.Start = out.Members[0].KeyStart
	case *ast.SequenceNode:
		out.Kind = settings.Array
		for i, item := range v.Values {
			child := convert(item, depth+1)
			if i < len(v.Entries) && v.Entries[i].Start != nil && v.Entries[i].Start.Position != nil && !v.IsFlowStyle {
				child.Start = v.Entries[i].Start.Position.Line + 1
			}
			out.Items = append(out.Items, child)
		}
		if v.IsFlowStyle {
			out.End = -1
		}
	case *ast.StringNode:
		out.Kind, out.Text = settings.String, v.Value
	case *ast.LiteralNode:
		out.Kind, out.Text = settings.String, v.Value.Value
	case *ast.IntegerNode:
		out.Kind, out.Text = settings.Number, fmt.Sprint(v.Value)
	case *ast.FloatNode:
		out.Kind, out.Text = settings.Number, fmt.Sprint(v.Value)
	case *ast.BoolNode:
		out.Kind, out.Bool = settings.Bool, v.Value
	case *ast.AnchorNode:
		return convert(v.Value, depth+1)
	case *ast.TagNode:
		return convert(v.Value, depth+1)
	}
	return out
}

func member(pair *ast.MappingValueNode, depth int) settings.Member {
	m := settings.Member{Value: convert(pair.Value, depth+1)}
	token := pair.Key.GetToken()
	m.Key = token.Value
	if key, ok := pair.Key.(*ast.StringNode); ok {
		m.Key = key.Value
	}
	if token.Position != nil {
		m.KeyStart = token.Position.Line + 1
	}
	return m
}

// Source returns the file's bytes.
func (f File) Source() []byte { return f.source }

// Text returns the string under a top-level key of the block, "name" for example.
func (f File) Text(key string) string {
	n, _ := f.root.Get(key)
	return n.Text
}

// Handlers lists the hook entries in the order of the file.
func (f File) Handlers() []Handler {
	var out []Handler
	for _, h := range (settings.Document{Root: f.root}).Handlers() {
		out = append(out, Handler{Handler: h, Line: h.Node.Start})
	}
	return out
}

// indent is the number of spaces that line n, from 1, begins with.
func (f File) indent(n int) int {
	line := f.lines[n-1]
	return len(line) - len(bytes.TrimLeft(line, " "))
}

// content reports whether a line holds more than space or a comment.
func (f File) content(n int) bool {
	text := bytes.TrimSpace(f.lines[n-1])
	return len(text) > 0 && text[0] != '#'
}

// end returns the line behind the block that begins in line n: all that follow
// with more indentation, and, for a key whose list is not indented, its dashes.
// Blank lines and comments at the end do not belong to it.
func (f File) end(n int) int {
	end, indent := n+1, f.indent(n)
	dashKey := !bytes.HasPrefix(bytes.TrimLeft(f.lines[n-1], " "), []byte("- "))
	for i := n + 1; i <= f.last; i++ {
		if !f.content(i) {
			continue
		}
		text := bytes.TrimLeft(f.lines[i-1], " ")
		sameLevelDash := dashKey && f.indent(i) == indent && (bytes.HasPrefix(text, []byte("- ")) || string(bytes.TrimSpace(text)) == "-")
		if f.indent(i) <= indent && !sameLevelDash {
			break
		}
		end = i + 1
	}
	return end
}
