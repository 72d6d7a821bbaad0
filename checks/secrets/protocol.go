package secrets

// Request is what "agentguard scan" reads from its standard input.
type Request struct {
	Files []File `json:"files"`
}

// Response is what it prints. Error is set when the scan could not be done. A
// list that is missing is no answer; an empty one is a clean one.
type Response struct {
	Findings []Finding `json:"findings"`
	Error    string    `json:"error,omitempty"`
}
