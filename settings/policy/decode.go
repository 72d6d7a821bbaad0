package policy

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentguard/settings"
)

// MaxSize bounds a policy file in bytes.
const MaxSize = 256 << 10

// Decode reads one layer. It returns every problem it finds; with any, the
// policy must not be used. An empty file is an empty policy.
func Decode(src []byte, layer Layer, path string, known []Check) (Policy, []Problem) {
	d := decoder{layer: layer, path: path, known: known}
	if len(src) > MaxSize {
		d.problems = append(d.problems, Problem{Layer: layer, Path: path, Message: fmt.Sprintf("the file has %d bytes; a policy has at most %d", len(src), MaxSize)})
		return Policy{}, d.problems
	}
	doc, err := settings.Parse(src)
	if syntax, ok := errors.AsType[*settings.SyntaxError](err); ok {
		d.problems = append(d.problems, Problem{layer, path, syntax.Line, syntax.Col, syntax.Msg})
		return Policy{}, d.problems
	}
	d.doc = doc
	var p Policy
	if doc.Root.Kind == settings.None {
		return p, nil
	}
	d.value(doc.Root, reflect.ValueOf(&p).Elem(), "", "")
	d.semantics(p)
	return p, d.problems
}

// decoder walks a document beside the Go types. Types, tags and file thus cannot
// drift apart: a key exists when a field does.
type decoder struct {
	doc      settings.Document
	layer    Layer
	path     string
	known    []Check
	before   int // lines of the file that stand before the document
	problems []Problem
}

func (d *decoder) problem(offset int, format string, args ...any) {
	line, col := d.doc.Position(offset)
	d.problems = append(d.problems, Problem{d.layer, d.path, d.before + line, col, fmt.Sprintf(format, args...)})
}

func (d *decoder) where(offset int) string {
	line, col := d.doc.Position(offset)
	return fmt.Sprintf("%s:%d:%d", d.path, d.before+line, col)
}

var (
	modeType     = reflect.TypeFor[Mode]()
	durationType = reflect.TypeFor[Duration]()
)

// value decodes n into v. key is the dotted name for messages, tag the field's.
func (d *decoder) value(n settings.Node, v reflect.Value, key string, tag reflect.StructTag) {
	switch {
	case v.Kind() == reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		d.value(n, p.Elem(), key, tag)
		v.Set(p)
	case v.Type() == modeType:
		if word, ok := d.choice(n, key, tag); ok {
			v.SetInt(int64(slices.Index(modeWords, word)))
		}
	case v.Type() == durationType:
		d.duration(n, v, key)
	case v.Kind() == reflect.Struct:
		d.object(n, v, key)
	case v.Kind() == reflect.Map:
		d.mapping(n, v, key)
	case v.Kind() == reflect.Slice:
		d.list(n, v, key)
	case v.Kind() == reflect.String:
		if word, ok := d.choice(n, key, tag); ok {
			v.SetString(word)
		}
	case v.Kind() == reflect.Bool:
		if n.Kind != settings.Bool {
			d.problem(n.Start, "%s must be true or false, not %s", key, n.Kind)
			return
		}
		v.SetBool(n.Bool)
	case v.Kind() == reflect.Int:
		d.integer(n, v, key, tag)
	}
}

func (d *decoder) object(n settings.Node, v reflect.Value, key string) {
	if n.Kind != settings.Object {
		hint := ""
		if strings.HasPrefix(key, "checks.") {
			hint = `; write {"mode": "observe"}, or another mode`
		}
		d.problem(n.Start, "%s must be an object, not %s%s", orPolicy(key), n.Kind, hint)
		return
	}
	if where := v.FieldByName("Where"); where.IsValid() {
		where.SetString(d.where(n.Start))
	}
	seen := map[string]bool{}
	for _, m := range n.Members {
		if seen[m.Key] {
			d.problem(m.KeyStart, "the key %q stands twice; keep one", dotted(key, m.Key))
			continue
		}
		seen[m.Key] = true
		if m.Key == "$schema" && key == "" {
			continue
		}
		f, ok := fieldNamed(v.Type(), m.Key)
		if !ok {
			fields := fieldsOf(v.Type())
			d.problem(m.KeyStart, "unknown key %q%s; %s takes %s", dotted(key, m.Key), didYouMean(m.Key, keysOf(fields)), orPolicy(key), strings.Join(keysOf(fields), ", "))
			continue
		}
		d.value(m.Value, v.FieldByIndex(f.Index), dotted(key, m.Key), f.Tag)
	}
	for f := range v.Type().Fields() {
		if f.Tag.Get("required") == "" {
			continue
		}
		name := f.Tag.Get("json")
		if given, _ := n.Get(name); !seen[name] || given.Kind == settings.String && given.Text == "" {
			d.problem(n.Start, "%s needs %q: %s", orPolicy(key), name, f.Tag.Get("doc"))
		}
	}
}

func (d *decoder) mapping(n settings.Node, v reflect.Value, key string) {
	if n.Kind != settings.Object {
		d.problem(n.Start, "%s must be an object, not %s", key, n.Kind)
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, m := range n.Members {
		name := reflect.ValueOf(m.Key)
		if v.MapIndex(name).IsValid() {
			d.problem(m.KeyStart, "the key %q stands twice; keep one", dotted(key, m.Key))
			continue
		}
		if key == "checks" && !slices.ContainsFunc(d.known, func(c Check) bool { return c.ID == m.Key }) {
			d.problem(m.KeyStart, "no check is called %q%s; the checks are %s", m.Key, didYouMean(m.Key, d.checkIDs()), strings.Join(d.checkIDs(), ", "))
			continue
		}
		item := reflect.New(v.Type().Elem()).Elem()
		d.value(m.Value, item, dotted(key, m.Key), "")
		v.SetMapIndex(name, item)
	}
}

func (d *decoder) list(n settings.Node, v reflect.Value, key string) {
	if n.Kind != settings.Array {
		d.problem(n.Start, "%s must be a list, not %s", key, n.Kind)
		return
	}
	items := reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items))
	for i, item := range n.Items {
		name := fmt.Sprintf("%s[%d]", key, i)
		d.value(item, items.Index(i), name, "")
		if item.Kind == settings.String && item.Text == "" {
			d.problem(item.Start, "%s is empty", name)
		}
	}
	v.Set(items)
}

// choice reads a string and holds it to the tag's choices, if it has any.
func (d *decoder) choice(n settings.Node, key string, tag reflect.StructTag) (string, bool) {
	list := tag.Get("choices")
	choices := strings.Split(list, ",")
	if n.Kind != settings.String {
		if list == "" {
			d.problem(n.Start, "%s must be a string, not %s", key, n.Kind)
		} else {
			d.problem(n.Start, "%s must be one of %s, not %s", key, strings.Join(choices, ", "), n.Kind)
		}
		return "", false
	}
	if list != "" && !slices.Contains(choices, n.Text) {
		d.problem(n.Start, "%s is %q%s; accepted are %s", key, n.Text, didYouMean(n.Text, choices), strings.Join(choices, ", "))
		return "", false
	}
	return n.Text, true
}

func (d *decoder) integer(n settings.Node, v reflect.Value, key string, tag reflect.StructTag) {
	i, ok := n.Int()
	if !ok {
		d.problem(n.Start, "%s must be a whole number, not %s", key, n.Kind)
		return
	}
	low, errLow := strconv.Atoi(tag.Get("min"))
	high, errHigh := strconv.Atoi(tag.Get("max"))
	if errLow == nil && errHigh == nil && (i < low || i > high) {
		d.problem(n.Start, "%s is %d; accepted are %d to %d", key, i, low, high)
		return
	}
	v.SetInt(int64(i))
}

func (d *decoder) duration(n settings.Node, v reflect.Value, key string) {
	span, err := time.ParseDuration(n.Text)
	if n.Kind != settings.String || err != nil || span <= 0 {
		d.problem(n.Start, "%s must be a time such as \"10s\" or \"2m\"", key)
		return
	}
	v.SetInt(int64(span))
}

// semantics checks what types alone cannot say.
func (d *decoder) semantics(p Policy) {
	if len(d.problems) > 0 {
		return
	}
	at := func(keys ...string) int {
		if n, ok := d.doc.Root.Get(keys...); ok {
			return n.Start
		}
		return d.doc.Root.Start
	}
	if _, ok := d.doc.Root.Get("version"); !ok || p.Version != 1 {
		d.problem(at("version"), "\"version\" must be 1")
	}
	for id, rule := range p.Checks {
		if rule.Run != nil && id != "test-gate" {
			d.problem(at("checks", id, "run"), "checks.%s.run: only test-gate runs anything", id)
		}
	}
	d.ownRules(p.Commands)
	d.secretRules(p.Secrets)
	for _, name := range p.Judge.Order {
		if _, own := p.Judge.Backends[name]; !own && !slices.Contains(builtinBackends, name) {
			names := slices.Concat(builtinBackends, keysOf(p.Judge.Backends))
			d.problem(at("judge", "order"), "no judge backend is called %q%s; there are %s", name, didYouMean(name, names), strings.Join(names, ", "))
		}
	}
	for name, b := range p.Judge.Backends {
		if b.Type == "command" && len(b.Command) == 0 {
			d.problem(at("judge", "backends", name), "a command backend needs \"command\": the program and its arguments")
		}
		if b.Type == "openai" && b.BaseURL == "" {
			d.problem(at("judge", "backends", name), "an openai backend needs \"base_url\"")
		}
	}
}

// builtinBackends need no entry under judge.backends.
var builtinBackends = []string{"claude", "codex", "offline"}

// BuiltInBackends lists the judges that a policy can name without describing them.
func BuiltInBackends() []string { return slices.Clone(builtinBackends) }

func (d *decoder) checkIDs() []string {
	var ids []string
	for _, c := range d.known {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return ids
}

// fieldNamed returns the field of a struct type that has a key. A policy is read at
// each call and names few keys: a map of all fields would cost more.
func fieldNamed(t reflect.Type, key string) (reflect.StructField, bool) {
	for f := range t.Fields() {
		if name := f.Tag.Get("json"); name == key && name != "" && name != "-" {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// fieldsOf maps the keys of a struct type to its fields.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for f := range t.Fields() {
		if name := f.Tag.Get("json"); name != "" && name != "-" {
			fields[name] = f
		}
	}
	return fields
}

func keysOf[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func dotted(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

func orPolicy(key string) string {
	if key == "" {
		return "the policy"
	}
	return key
}

// didYouMean returns " (did you mean …?)" for a near name, else "".
func didYouMean(word string, names []string) string {
	if near := settings.Nearest(word, names); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}
