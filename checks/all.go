package checks

// All lists the checks, in the order in which status shows them.
func All() []Check {
	all := []Check{
		dangerousCommand(),
		protectedPath(),
		guardTamper(),
		ownRules(),
		configGuard(),
		secretLeak(),
		unverifiedCommit(),
		falseClaim(),
		testGate(),
	}
	for _, j := range judgedChecks() {
		all = append(all, j.check())
	}
	return append(all,
		auditCalls(),
		testLedger(),
		guardStatus(),
		gitContext(),
	)
}
