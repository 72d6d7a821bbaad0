package evidence

import (
	"context"
	"testing"
	"time"
)

// TestProbes: what verifies one fact without being a test, and how it ended.
func TestProbes(t *testing.T) {
	ok, ill := Call{}, Call{Failed: true, Output: "Exit code 1"}
	for _, c := range []struct {
		src  string
		call Call
		want Outcome // empty: no verification
	}{
		{"cmp a b", ok, Passed},
		{"cmp a b", ill, Failed},
		{"diff -q a b", ok, Passed},
		{"diff a b", ill, NotRun}, // that they differ is an answer
		{"diff <(go run ./a) <(go run ./b)", ok, Passed},
		{"diff a b | head", Call{Output: ""}, NotRun}, // its status is lost
		{"git diff --exit-code", ok, Passed},
		{"git diff --quiet -- docs", ill, NotRun},
		{"git -C sub diff --exit-code", ok, Passed},
		{"git apply --check a.patch", ok, Passed},
		{"sha256sum -c sums.txt", Call{Output: "a: OK"}, Passed},
		{"sha256sum --check sums.txt", ill, Failed},
		{"shasum -a 256 -c sums.txt", ok, Passed},
		{"curl -f http://localhost:3000/health", Call{Output: `{"status":"ok","error":null}`}, Passed},
		{"curl -fsS http://localhost:3000/health", ill, Failed},
		{"curl -sf localhost:8080", ok, Passed},
		{"curl -s https://api.example.com/readyz", Call{Output: "ok"}, Passed},
		{"curl -s $URL/healthz", Call{Output: "ok"}, Passed},
		{"curl -s -o /dev/null -w '%{http_code}' localhost:3000/health", Call{Output: "200"}, Passed},
		{"curl -s -o /dev/null -w '%{http_code}' localhost:3000/health", Call{Output: "503"}, Failed},
		{"curl -si localhost:3000/status", Call{Output: "HTTP/1.1 500 Internal Server Error"}, Failed},
		{"curl -s localhost:3000/health", Call{Output: `{"status": "down"}`}, Failed},
		{"curl -X GET localhost:3000/ping", Call{Output: "pong"}, Passed},
		{"wget --spider -q http://localhost:3000/", ok, Passed},
		{"wget -qO- localhost:3000/healthz", Call{Output: "ok"}, Passed},
		{"http --check-status GET :3000/health", Call{Output: "HTTP/1.1 200 OK"}, Passed},
		{"pg_isready -h localhost", Call{Output: "localhost:5432 - accepting connections"}, Passed},
		{"redis-cli -h cache ping", Call{Output: "PONG"}, Passed},
		{"docker inspect --format '{{.State.Health.Status}}' db", Call{Output: "healthy"}, Passed},
		{"docker inspect --format '{{.State.Health.Status}}' db", Call{Output: "unhealthy"}, Failed},
		{"systemctl is-active nginx", Call{Output: "active"}, Passed},
		{"kubectl rollout status deploy/web", ok, Passed},
		{"kubectl get --raw /readyz", Call{Output: "ok"}, Passed},
		{"nc -z localhost 5432", ok, Passed},
		{"nginx -t", ok, Passed},
		{"terraform plan -out=p", Call{Output: "No changes."}, Passed},
		{"kubectl apply --dry-run=server -f k8s/", ok, Passed},
		{"helm template . > /tmp/out.yaml", ok, Passed},
		{"helm upgrade --install web . --dry-run", ok, Passed},
		{"pulumi preview", ok, Passed},
		{"ansible-playbook --check site.yml", ok, Passed},
		{"npx wrangler deploy --dry-run", ok, Passed},
		{"serverless package", ok, Passed},
		{"cdk diff", ok, Passed},
		{"npm publish --dry-run", ok, Passed},
		{"cargo publish --dry-run", ok, Passed},
		{"rsync -avn a/ b/", ok, Passed},

		{"hugo --gc --minify", ok, Passed},
		{"bundle exec jekyll build", ok, Passed},
		{"mkdocs build --strict", ok, Passed},
		{"sphinx-build -b html docs out", ok, Passed},
		{"npx docusaurus build", ok, Passed},
		{"npx @11ty/eleventy", ok, Passed},
		{"astro build", ok, Passed},
		{"zola build", ok, Passed},
		{"php -l a.php", ok, Passed},
		{"python -m py_compile a.py", ok, Passed},

		{"curl -fsSL https://get.example.com/install.sh | sh", ok, ""},
		{"curl -fsSL -o tool.tgz https://example.com/tool.tgz", ok, ""},
		{"curl -X POST localhost:3000/health -d x=1", ok, ""},
		{"curl https://example.com/api/users", ok, ""},
		{"curl localhost:3000/api/users", ok, ""},
		{"wget https://example.com/a.tgz", ok, ""},
		{"http POST :3000/health", ok, ""},
		{"git diff", ok, ""},
		{"git diff --stat", ok, ""},
		{"git diff --check", ok, ""},
		{"sha256sum a.bin", ok, ""},
		{"redis-cli get a", ok, ""},
		{"docker inspect web", ok, ""},
		{"systemctl restart nginx", ok, ""},
		{"kubectl apply -f k8s/", ok, ""},
		{"helm upgrade --install web .", ok, ""},
		{"terraform apply", ok, ""},
		{"wrangler deploy", ok, ""},
		{"npm publish", ok, ""},
		{"hugo server", ok, ""},
		{"mkdocs serve", ok, ""},
		{"rsync -av a/ b/", ok, ""},
	} {
		var got Outcome
		for _, v := range Recognise(c.src, Verify{}) {
			if v.Kind.Tests() {
				t.Errorf("%q stands for tests: %s", c.src, describe(v))
			}
			got, _ = ended(v, c.call)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}

// TestMaybe: what may not have been reached ran only if something shows it.
func TestMaybe(t *testing.T) {
	for _, c := range []struct {
		src  string
		call Call
		want Outcome
	}{
		{"[ -f x ] || pytest", Call{}, NotRun},
		{"[ -f x ] || pytest", Call{Output: "3 passed in 1s"}, Passed},
		{"[ -f x ] && pytest", Call{}, Passed},
		{"[ -f x ] && pytest", Call{Failed: true, Output: "Exit code 1"}, NotRun},
		{"if [ -f x ]; then pytest; fi", Call{}, NotRun},
		{"if [ -f x ]; then pytest; fi", Call{Output: "2 failed, 1 passed in 1s"}, Failed},
		{"grep -q a b && npx tsc --noEmit; echo done", Call{Output: "done"}, NotRun},
		{"npm test --if-present | tail", Call{}, NotRun},
		{"pytest | tail", Call{}, Masked},
	} {
		v := Recognise(c.src, Verify{})[0]
		if got, _ := ended(v, c.call); got != c.want {
			t.Errorf("%q with %q: %s, want %s", c.src, c.call.Output, got, c.want)
		}
	}
}

// TestRecordPlaces: a run in another folder says nothing of this tree, and a
// comparison is kept without a look at it.
func TestRecordPlaces(t *testing.T) {
	s := newScratch(t)
	s.write("a.txt", "a")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	r := s.open(s.dir)
	named := Verify{Commands: []VerifyCommand{{Test, "go test ./..."}}}
	for _, c := range []struct {
		src    string
		verify Verify
		want   string // kind and whether the tree was looked at
	}{
		{"go test ./...", named, "test tree"},
		{"cd " + r.Root() + " && go test ./...", named, "test tree"},
		{"cd /elsewhere && go test ./...", named, ""},
		{"cd .. && go test ./...", named, ""},
		{"bash " + r.Root() + "/run-tests.sh", named, "test tree"},
		{"bash /elsewhere/run-tests.sh", named, ""},
		{"diff a b", named, ""},
		{"diff a b", Verify{}, "compare"},
		{"diff a b && go test ./...", Verify{}, "compare tree; test tree"},
		{"pytest --collect-only", Verify{}, ""},
	} {
		got := ""
		for _, run := range Record(context.Background(), r, Observed{Source: c.src, Dir: r.Root(), Time: time.Unix(1, 0)}, c.verify) {
			if got != "" {
				got += "; "
			}
			got += string(run.Kind)
			if run.After != nil {
				got += " tree"
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}
