package secrets

import "time"

// Request is what "agentguard scan" reads from its standard input.
type Request struct {
	Files []File `json:"files"`
}

// Response is what it prints. Error is set when the scan could not be done. A
// list that is missing is no answer; an empty one is a clean one.
type Response struct {
	Findings []Finding `json:"findings"`
	// Cut tells that the time was over before all was looked at, or that there are
	// more than MaxFindings.
	Cut   bool   `json:"cut,omitempty"`
	Error string `json:"error,omitempty"`
}

// MaxFindings bounds the findings of one response.
const MaxFindings = 5000

// ScanTime bounds one scan of "agentguard scan". Who asks waits a little longer.
const ScanTime = 4 * time.Second
