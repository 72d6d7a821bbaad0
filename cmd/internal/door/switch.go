package door

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agentguard/hook/regular"
)

// Switch is the person's own switch: the guards are off until a time.
type Switch struct {
	Until  time.Time `json:"until"`
	Reason string    `json:"reason,omitempty"`
}

func switchPath(state string) string { return filepath.Join(state, "agentguard", "off.json") }

// SwitchOff turns the guards of this person off.
func SwitchOff(state string, s Switch) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := switchPath(state)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return regular.Replace(path, b)
}

// SwitchOn turns them on again and tells whether they were off.
func SwitchOn(state string) (was bool, err error) {
	err = os.Remove(switchPath(state))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// LongestOff is for how long the guards can be off.
const LongestOff = 8 * time.Hour

// maxSwitch bounds the switch's file in bytes.
const maxSwitch = 16 << 10

// switchedOff tells whether the switch is off now; one that ran out is on. What
// SwitchOff could not have written does not count: a file of somebody else's, one
// that others can read or write, as a checkout makes them, a link, and a time
// that is further away than a person can ask for.
func switchedOff(state string, now time.Time) (Switch, bool) {
	b, err := regular.ReadPrivate(switchPath(state), maxSwitch)
	if err != nil {
		return Switch{}, false
	}
	var s Switch
	if json.Unmarshal(b, &s) != nil {
		return Switch{}, false
	}
	return s, now.Before(s.Until) && s.Until.Sub(now) <= LongestOff
}

// WhyOff tells why nothing is checked for this person at all; empty when the
// guards are on. A policy that forbids the switches is not looked at.
func WhyOff(env Env) string {
	if on(env.Get(OffVar)) {
		return OffVar + " is set"
	}
	w := env.World()
	if s, off := switchedOff(w.State, w.Now); off {
		return "switched off until " + s.Until.Format(time.RFC3339)
	}
	return ""
}
