package frontmatter

import "agentguard/settings"

// Root returns the block at the top as nodes, whose Start is the line they begin
// in, from 1.
func (f File) Root() settings.Node { return f.root }
