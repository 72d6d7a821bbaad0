package hook

// Client is one coding agent's hook contract: how its event reads and how an
// answer must be written for it.
type Client interface {
	// Name is the word of --client and of the log, "claude" for example.
	Name() string
	// Decode reads one event. getenv answers for the hook's environment, where
	// clients put the launch folder. Unknown fields and events are no error;
	// input that is no JSON object, or names no event, is, and so is the event of a
	// gate that cannot be judged. Beside an error the event names the gate that the
	// input may be of.
	Decode(stdin []byte, getenv func(string) string) (Event, error)
	// Encode writes exactly one JSON object, or nothing when there is nothing to
	// say. What the client cannot express becomes the next stricter thing it can.
	Encode(Event, Outcome) []byte
}
