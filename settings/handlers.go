package settings

// Handler is one hook entry as a file states it: the handler object, the group
// it stands in and the event. Fields of the wrong type read as absent; Faults
// tells them.
type Handler struct {
	Event      string
	Matcher    string
	HasMatcher bool
	Type       string
	Command    string
	// Args is the exec form: the program is started without a shell. HasArgs
	// tells an empty list, which is exec form too, from none.
	Args      []string
	HasArgs   bool
	URL       string
	Prompt    string
	If        string
	Shell     string
	OnFailure string
	// Timeout is in seconds, 0 where the file says none.
	Timeout float64
	// Async is true for async and asyncRewake: the answer cannot stop anything.
	Async bool
	// Shadowed entries stand under a key that occurs again further down; the
	// client never sees them.
	Shadowed bool
	// Node is the handler, Group the object around it, List the event's list.
	Node, Group, List Node
}

// Handlers lists the hook entries of a document in the order of the file, also
// those the client drops, but only where the three levels can be made out.
func (d Document) Handlers() []Handler {
	var out []Handler
	eachLast(d.Root, func(top Member, topLast bool) {
		if top.Key != "hooks" || top.Value.Kind != Object {
			return
		}
		eachLast(top.Value, func(event Member, last bool) {
			for _, group := range event.Value.Items {
				list, _ := group.Get("hooks")
				for _, node := range list.Items {
					if node.Kind != Object {
						continue
					}
					h := readHandler(node)
					h.Event, h.Group, h.List = event.Key, group, event.Value
					h.Matcher, h.HasMatcher = text(group, "matcher")
					h.Shadowed = !topLast || !last
					out = append(out, h)
				}
			}
		})
	})
	return out
}

// eachLast visits an object's members and tells whether each is the last of its
// key, the one that counts.
func eachLast(object Node, visit func(m Member, last bool)) {
	last := make(map[string]int, len(object.Members))
	for i, m := range object.Members {
		last[m.Key] = i
	}
	for i, m := range object.Members {
		visit(m, last[m.Key] == i)
	}
}

func readHandler(node Node) Handler {
	h := Handler{Node: node}
	h.Type, _ = text(node, "type")
	h.Command, _ = text(node, "command")
	h.URL, _ = text(node, "url")
	h.Prompt, _ = text(node, "prompt")
	h.If, _ = text(node, "if")
	h.Shell, _ = text(node, "shell")
	h.OnFailure, _ = text(node, "onFailure")
	if args, ok := node.Get("args"); ok && args.Kind == Array {
		h.HasArgs = true
		for _, item := range args.Items {
			h.Args = append(h.Args, item.Text)
		}
	}
	if n, ok := node.Get("timeout"); ok {
		h.Timeout, _ = n.Float()
	}
	for _, key := range []string{"async", "asyncRewake"} {
		if n, ok := node.Get(key); ok && n.Bool {
			h.Async = true
		}
	}
	return h
}

func text(object Node, key string) (string, bool) {
	n, ok := object.Get(key)
	if !ok || n.Kind != String {
		return "", false
	}
	return n.Text, true
}
