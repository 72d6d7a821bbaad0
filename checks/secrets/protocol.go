package secrets

// Request is what "agentguard scan" reads from its standard input.
type Request struct {
	Files []File `json:"files"`
}

// Response is what it prints. Error is set when the scan could not be done.
type Response struct {
	Findings []Finding `json:"findings"`
	Error    string    `json:"error,omitempty"`
}
