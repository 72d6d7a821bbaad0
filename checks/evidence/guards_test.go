package evidence

import "testing"

func TestGuards(t *testing.T) {
	npm := Verify{Commands: []VerifyCommand{{Test, "npm test"}}}
	goAll := Verify{Commands: []VerifyCommand{{Test, "go test ./..."}}}
	build := Verify{Commands: []VerifyCommand{{Build, "pnpm run build"}}}
	web := Verify{Commands: []VerifyCommand{{Test, "cd web && npm test"}}}
	for _, c := range []struct {
		src    string
		verify Verify
		want   bool
	}{
		{"npm test && git commit -am x", npm, true},
		{"npm test && git add -A && git commit -m x && git push", npm, true},
		{"set -e\nnpm test\ngit commit -am x", npm, true},
		{"npm test || exit 1; git commit -am x", npm, true},
		{"npm test || { echo failed; exit 1; }\ngit commit -am x", npm, true},
		{"set -o pipefail; npm test | tail -3 && git commit -am x", npm, true},
		{"npm test 2>&1 > /tmp/log && git commit -am x", npm, true},
		{"if npm test; then git commit -am x; fi", npm, true},
		{"if ! npm test; then exit 1; fi; git commit -am x", npm, true},
		{"npm test; rc=$?; if [ $rc -ne 0 ]; then exit $rc; fi; git commit -am x", npm, true},
		{"npm test; [ $? -eq 0 ] && git commit -am x", npm, true},
		{"until npm test; do sleep 1; done && git commit -am x", npm, true},
		{"bash -c 'npm test && git commit -am x'", npm, true},
		{"bash -euo pipefail -c 'npm test | tee log; git commit -am x'", npm, true},
		{"run() { npm test; }; run && git commit -am x", npm, true},
		{"out=$(npm test 2>&1) && git commit -am x", npm, true},
		{"npm test && npm run build && git add dist && git commit -m x", npm, true},
		{"npm test && rm -f coverage.out && git commit -am x", npm, true},
		{"cd /repo && npm test && git commit -am x", npm, true},
		{"export PATH=$PATH:/usr/local/go/bin && go test ./... && git commit -am x", goAll, true},
		{"PATH=/usr/local/go/bin:$PATH go test ./... && git commit -am x", goAll, true},
		{"go test -race -count=1 ./... && git commit -am x", goAll, true},
		{"cd web && npm test && cd .. && git commit -am x", web, true},
		{"cd web && npm test && git commit -am x", web, true},
		{"pnpm run build && git commit -am x", build, true},
		{"npm test && gh pr create --fill", npm, true},

		// It need not have run, or its failure stops nothing.
		{"npm test; git commit -am x", npm, false},
		{"npm test | tail -3 && git commit -am x", npm, false},
		{"npm test || true && git commit -am x", npm, false},
		{"npm test & git commit -am x", npm, false},
		{"npm test & wait; git commit -am x", npm, false},
		{"! npm test && git commit -am x", npm, false},
		{"true || npm test && git commit -am x", npm, false},
		{"[ -f x ] || npm test && git commit -am x", npm, false},
		{"if false; then npm test; fi && git commit -am x", npm, false},
		{"if [ -n \"$CI\" ]; then npm test; fi && git commit -am x", npm, false},
		{"if npm test; then echo ok; fi; git commit -am x", npm, false},
		{"if npm test; then :; else git commit -am x; fi", npm, false},
		{"while false; do npm test; done && git commit -am x", npm, false},
		{"for d in $DIRS; do npm test || exit 1; done && git commit -am x", npm, false},
		{"case $1 in test) npm test;; esac && git commit -am x", npm, false},
		{"npm test && echo ok; git commit -am x", npm, false},
		{"set -e; npm test && echo ok; git commit -am x", npm, false},
		{"# set -e\nnpm test\ngit commit -am x", npm, false},
		{"echo 'set -e'; npm test; git commit -am x", npm, false},
		{"set -e; set +e; npm test; git commit -am x", npm, false},
		{"npm test; set -e; git commit -am x", npm, false},
		{"(set -e); npm test; git commit -am x", npm, false},
		{"echo pipefail; npm test | tail -3 && git commit -am x", npm, false},
		{"npm test; [ $? -ne 0 ] && git commit -am x", npm, false},
		{"npm test; rc=$?; git commit -am x; exit $rc", npm, false},
		{"(npm test || exit 1); git commit -am x", npm, false},
		{"echo \"$(npm test)\" && git commit -am x", npm, false},
		{"npm() { true; }; npm test && git commit -am x", npm, false},
		{"alias npm=true; npm test && git commit -am x", npm, false},
		{"git commit -am x && npm test", npm, false},
		{"git commit -am x; npm test && git push", npm, false},
		{"npm test && git commit -am x; npm publish", npm, false},
		{"git commit -am x", npm, false},
		{"npm test", npm, false},

		{"set -e; ! npm test; git commit -am x", npm, false},
		{"trap 'git commit -am x' EXIT; npm test && git push", npm, false},
		{"set -n; npm test && git commit -am x", npm, false},

		// It is no run of the tests.
		{"npm run lint && git commit -am x", npm, false},
		{"echo 'npm test' && git commit -am x", npm, false},
		{"go test -run '^$' ./... && git commit -am x", goAll, false},
		{"go test -skip . ./... && git commit -am x", goAll, false},
		{"go test -list . ./... && git commit -am x", goAll, false},
		{"GOFLAGS=-exec=true go test ./... && git commit -am x", goAll, false},
		{"export GOFLAGS=-exec=true; go test ./... && git commit -am x", goAll, false},
		{"make -i test && git commit -am x", npm, false},
		{"npm test -- --watch && git commit -am x", npm, false},

		// It is not the project's whole.
		{"go test ./api && git commit -am x", goAll, false},
		{"go test ./... -run TestX && git commit -am x", goAll, false},
		{"go test && git commit -am x", goAll, false},
		{"cd sub && go test ./... && git commit -am x", goAll, false},
		{"cd sub && go test ./... && cd .. && git commit -am x", goAll, false},
		{"(cd sub && go test ./...) && git commit -am x", goAll, false},
		{"go test -C ../x ./... && git commit -am x", goAll, false},
		{"go -C sub test ./... && git commit -am x", goAll, false},
		{"cd /other && go test ./... && cd - && git commit -am x", goAll, false},
		{"cd \"$D\" && go test ./... && git commit -am x", goAll, false},
		{"go test ./... && git -C ../other commit -am x", goAll, false},
		{"go test ./... && cd ../other && git commit -am x", goAll, false},
		{"npm run test:unit && git commit -am x", npm, false},
		{"cd docs && npm test && cd .. && git commit -am x", web, false},

		// It may be another program.
		{"PATH=/tmp/bin:$PATH go test ./... && git commit -am x", goAll, false},
		{"export PATH=$PWD/bin:$PATH; go test ./... && git commit -am x", goAll, false},
		{"env PATH=/tmp go test ./... && git commit -am x", goAll, false},
		{"/tmp/go test ./... && git commit -am x", goAll, false},

		// What is committed is not what was tested.
		{"npm test && sed -i s/a/b/ a.js && git commit -am x", npm, false},
		{"npm test && echo broken > a.js && git commit -am x", npm, false},
		{"npm test && git stash pop && git commit -am x", npm, false},
		{"npm test && cp /tmp/a.js a.js && git commit -am x", npm, false},
	} {
		if got := Guards(c.src, c.verify); got != c.want {
			t.Errorf("%q: %v, want %v", c.src, got, c.want)
		}
	}
}

// TestPlace: where a run takes place, as seen from the project's top.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		root, dir, folder string
		outside, below    bool
	}{
		{"/w/app", "/w/app", "web", false, true},
		{"/w/app", "/w/app", "../lib", true, false},
		{"/w/app", "/w/app/web", "..", false, false},
		{"/w/app", "/w/app/web", "../..", true, false},
		{"/w/lib", "/w/app", "../lib", false, false},
		{"/w/app", "", "..", false, false},
		{"/w/app", "/w/app", "/w/app/web", false, true},
		{"/w/app", "/w/app", "/elsewhere", true, false},
	} {
		got := Verify{Root: c.root, Dir: c.dir}.place(c.folder)
		if got.outside != c.outside || got.below != c.below {
			t.Errorf("%s from %s in %s: %+v", c.folder, c.dir, c.root, got)
		}
	}
}
