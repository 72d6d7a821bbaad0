package evidence

import "agentguard/hook/transcript"

// Verified lists what one finished tool call verified, to be recorded: kind,
// runner and outcome are set, where and when are the caller's to fill in.
func (rd Reader) Verified(call transcript.Call) []Run {
	var runs []Run
	for _, m := range rd.call(nil, call) {
		if m.run != nil {
			runs = append(runs, *m.run)
		}
	}
	return runs
}
