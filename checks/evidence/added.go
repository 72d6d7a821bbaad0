package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Added is what a change adds to one file: whole lines, in pieces.
type Added struct {
	Commit string // full id; empty for what is staged
	Path   string
	New    bool // the file did not exist before
	Pieces []Piece
	Unseen bool // git took it for binary, so that nothing of it is told
}

// Piece is a run of added lines.
type Piece struct {
	Line int // number of its first line in the new file
	Text string
}

// diffArgs ask for added lines alone, by no program that a repository names. With
// --text beside them no attribute of a repository hides a file; where that is too
// much, because of large binary files, they are left out.
var diffArgs = []string{"-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=all"}

// StagedAdded lists the lines that a plain "git commit" would add.
func (r *Repo) StagedAdded(ctx context.Context) ([]Added, error) {
	args := append([]string{"-c", "core.quotePath=false", "diff", "--cached"}, diffArgs...)
	out, err := r.run(ctx, append(args, "--text")...)
	if errors.Is(err, ErrUnknown) {
		out, err = r.run(ctx, args...)
	}
	if err != nil {
		return nil, err
	}
	return parseAdded(out), nil
}

// OutgoingAdded lists the lines that the commits of refs add which no branch of
// the remote has, newest first; an empty remote means any. Merges add nothing of
// their own. more tells that there were more than max commits or too many bytes,
// so that older ones are missing.
func (r *Repo) OutgoingAdded(ctx context.Context, remote string, refs []string, max int) (added []Added, more bool, err error) {
	remotes := "--remotes"
	if remote != "" {
		remotes += "=" + globQuote(remote)
	}
	for _, ref := range refs {
		if strings.HasPrefix(ref, "-") && ref != "--branches" && ref != "--tags" {
			return nil, false, fmt.Errorf("%q is no ref: %w", ref, ErrUnknown)
		}
	}
	text := []string{"--text"}
	for limit := max; ; {
		args := append([]string{"-c", "core.quotePath=false", "log", "--no-merges", "--no-notes", "--no-decorate", "--max-count=" + strconv.Itoa(limit+1), "--format=commit %H", "-p"}, diffArgs...)
		args = append(append(append(args, text...), refs...), "--not", remotes, "--")
		out, err := r.run(ctx, args...)
		if errors.Is(err, ErrUnknown) && limit > 1 {
			if text == nil {
				more, limit = true, limit/8
			}
			text = nil
			continue
		}
		if err != nil {
			return nil, false, err
		}
		// Commits that add nothing count as well: a secret may stand behind many of them.
		return parseAdded(out), more || commitsIn(out) > limit, nil
	}
}

// commitsIn counts the commits of a log: a line of a patch begins otherwise.
func commitsIn(out []byte) int {
	n := bytes.Count(out, []byte("\ncommit "))
	if bytes.HasPrefix(out, []byte("commit ")) {
		n++
	}
	return n
}

// parseAdded reads the patches of git diff and git log.
func parseAdded(out []byte) []Added {
	var p patchReader
	for len(out) > 0 {
		line, rest, _ := bytes.Cut(out, []byte("\n"))
		p.line(line)
		out = rest
	}
	p.endPiece()
	return p.list
}

// patchReader reads a patch line by line.
type patchReader struct {
	list   []Added
	commit string
	isNew  bool
	inFile bool
	first  int    // line of the piece that is being read
	left   int    // added lines that the hunk still has
	text   []byte // of the piece
}

func (p *patchReader) line(line []byte) {
	switch {
	case p.left > 0 && len(line) > 0 && line[0] == '+':
		// Lines of a hunk are counted, so that content that looks like a header is
		// content.
		p.text = append(append(p.text, line[1:]...), '\n')
		p.left--
	case bytes.HasPrefix(line, []byte("commit ")):
		p.endPiece()
		p.commit, p.inFile = string(line[len("commit "):]), false
	case bytes.HasPrefix(line, []byte("diff --git ")):
		p.endPiece()
		p.isNew, p.inFile = false, false
	case bytes.HasPrefix(line, []byte("new file mode ")):
		p.isNew = true
	case bytes.HasPrefix(line, []byte("+++ ")):
		name := unquotePath(strings.TrimSuffix(string(line[4:]), "\t"))
		path, ok := strings.CutPrefix(name, "b/")
		if !ok {
			return // deleted
		}
		p.list = append(p.list, Added{Commit: p.commit, Path: path, New: p.isNew})
		p.inFile = true
	case bytes.HasPrefix(line, []byte("Binary files ")):
		if path, ok := binaryName(string(line)); ok {
			p.list = append(p.list, Added{Commit: p.commit, Path: path, New: p.isNew, Unseen: true})
		}
	case p.inFile && bytes.HasPrefix(line, []byte("@@ ")):
		p.endPiece()
		p.first, p.left = hunkOf(string(line))
	}
}

// endPiece keeps the piece that was read.
func (p *patchReader) endPiece() {
	if len(p.text) > 0 {
		a := &p.list[len(p.list)-1]
		a.Pieces = append(a.Pieces, Piece{Line: p.first, Text: string(p.text)})
	}
	p.text, p.left = nil, 0
}

// hunkOf reads "@@ -1,2 +3,4 @@": the first line and the number of lines of the
// new side.
func hunkOf(line string) (first, count int) {
	_, plus, ok := strings.Cut(line, " +")
	if !ok {
		return 0, 0
	}
	span, _, _ := strings.Cut(plus, " ")
	a, b, two := strings.Cut(span, ",")
	first, _ = strconv.Atoi(a)
	count = 1
	if two {
		count, _ = strconv.Atoi(b)
	}
	return first, count
}

// binaryName reads "Binary files a/x and b/x differ"; false where the file is gone.
func binaryName(line string) (string, bool) {
	// A name may have the word in it: the second begins with b/, or is of nothing.
	line = strings.TrimSuffix(line, " differ")
	for _, b := range [...]string{" and \"b/", " and b/"} {
		if i := strings.Index(line, b); i >= 0 {
			return strings.TrimPrefix(unquotePath(line[i+len(" and "):]), "b/"), true
		}
	}
	return "", false
}

// unquotePath reads a path that git put in quotes because of its odd bytes.
func unquotePath(s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	if plain, err := strconv.Unquote(s); err == nil {
		return plain
	}
	return strings.Trim(s, `"`)
}

// HeadTexts returns what HEAD holds of some paths, at most max bytes of each;
// paths that HEAD does not have are missing.
func (r *Repo) HeadTexts(ctx context.Context, paths []string, max int) (map[string]string, error) {
	head, err := r.Head(ctx)
	if err != nil || head.Unborn || len(paths) == 0 {
		return nil, err
	}
	var in bytes.Buffer
	var asked []string
	for _, p := range paths {
		if !strings.ContainsAny(p, "\n\x00") {
			fmt.Fprintf(&in, "HEAD:%s\n", p)
			asked = append(asked, p)
		}
	}
	out, err := r.runWith(ctx, nil, in.Bytes(), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, p := range asked {
		head, rest, _ := bytes.Cut(out, []byte("\n"))
		out = rest
		fields := strings.Fields(string(head))
		if len(fields) != 3 || strings.HasSuffix(string(head), " missing") {
			continue
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size+1 > len(out) {
			return texts, fmt.Errorf("reading git cat-file: %w", ErrUnknown)
		}
		texts[p] = string(out[:min(size, max)])
		out = out[size+1:]
	}
	return texts, nil
}
