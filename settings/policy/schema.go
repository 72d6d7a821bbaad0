package policy

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// Schema returns the JSON Schema of a policy file, for editors. It is made from
// the types that Decode reads into, so that the two cannot differ.
func Schema(known []Check) []byte {
	root := schemaOf(reflect.TypeFor[Policy](), "", known)
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "agentguard policy"
	root["required"] = []string{"version"}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		return nil
	}
	return b.Bytes()
}

func schemaOf(t reflect.Type, tag reflect.StructTag, known []Check) map[string]any {
	s := map[string]any{}
	if doc := tag.Get("doc"); doc != "" {
		s["description"] = doc
	}
	if list := tag.Get("choices"); list != "" {
		s["enum"] = strings.Split(list, ",")
		return s
	}
	switch {
	case t.Kind() == reflect.Pointer:
		return schemaOf(t.Elem(), tag, known)
	case t == durationType:
		s["type"], s["pattern"] = "string", `^([0-9]+(\.[0-9]+)?(h|m|s|ms))+$`
	case t.Kind() == reflect.Struct:
		s["type"], s["additionalProperties"] = "object", false
		properties := map[string]any{}
		var required []string
		fields := fieldsOf(t)
		for _, name := range keysOf(fields) {
			f := fields[name]
			properties[name] = schemaOf(f.Type, f.Tag, known)
			if f.Tag.Get("required") != "" {
				required = append(required, name)
			}
		}
		s["properties"] = properties
		if len(required) > 0 {
			s["required"] = required
		}
	case t.Kind() == reflect.Map:
		s["type"] = "object"
		item := schemaOf(t.Elem(), "", known)
		if t == reflect.TypeFor[map[string]CheckRule]() {
			names := map[string]any{}
			for _, c := range known {
				names[c.ID] = item
			}
			s["properties"], s["additionalProperties"] = names, false
		} else {
			s["additionalProperties"] = item
		}
	case t.Kind() == reflect.Slice:
		s["type"], s["items"] = "array", schemaOf(t.Elem(), "", known)
	case t.Kind() == reflect.Bool:
		s["type"] = "boolean"
	case t.Kind() == reflect.Int:
		s["type"] = "integer"
		if low, err := strconv.Atoi(tag.Get("min")); err == nil {
			s["minimum"] = low
		}
		if high, err := strconv.Atoi(tag.Get("max")); err == nil {
			s["maximum"] = high
		}
	default:
		s["type"] = "string"
	}
	return s
}
