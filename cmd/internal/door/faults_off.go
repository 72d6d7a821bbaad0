//go:build !faults

package door

import "agentguard/checks"

func faults() []checks.Check { return nil }
