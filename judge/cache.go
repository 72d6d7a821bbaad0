package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"
)

// Cache remembers verdicts about equal texts, so that the same closing message
// is asked about once. Only usable verdicts are kept.
type Cache struct {
	Store Store
	TTL   time.Duration // zero means one day
}

type cached struct {
	At      time.Time `json:"at"`
	Verdict Verdict   `json:"verdict"`
}

const cacheTTL = 24 * time.Hour

// cacheKey covers everything that could change the answer: the text, the facts,
// the wording of the question and the backends in their order. The text itself
// cannot be read from it.
func (a *Asker) cacheKey(q Question, s Spec) string {
	if a.Cache.Store == nil {
		return ""
	}
	h := sha256.New()
	part := func(p string) { h.Write([]byte(strconv.Itoa(len(p)) + ":" + p)) }
	part(PromptVersion(s))
	part(s.Check)
	part(s.Guide)
	part(s.Formula)
	for _, f := range s.Fields {
		part(f.Name)
	}
	part(q.Text)
	for _, f := range q.Facts {
		part(f)
	}
	for _, b := range a.Backends {
		part(b.Name())
	}
	return "verdict-" + hex.EncodeToString(h.Sum(nil)[:16])
}

func (c Cache) get(key string, now time.Time) (Verdict, bool) {
	if c.Store == nil {
		return Verdict{}, false
	}
	raw, err := c.Store.Load(key)
	if err != nil {
		return Verdict{}, false
	}
	var e cached
	if json.Unmarshal(raw, &e) != nil || (e.Verdict.Result != Violation && e.Verdict.Result != Allowed) {
		return Verdict{}, false
	}
	ttl := c.TTL
	if ttl <= 0 {
		ttl = cacheTTL
	}
	if age := now.Sub(e.At); age < 0 || age > ttl {
		return Verdict{}, false
	}
	e.Verdict.Cached, e.Verdict.CostUSD, e.Verdict.Errors = true, 0, nil
	return e.Verdict, true
}

func (c Cache) put(key string, v Verdict, now time.Time) {
	if c.Store == nil {
		return
	}
	v.Elapsed = 0
	if raw, err := json.Marshal(cached{now, v}); err == nil {
		_ = c.Store.Save(key, raw) // not remembered: the next call asks again
	}
}
