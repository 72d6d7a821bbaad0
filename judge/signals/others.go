package signals

func scopeSignals() []Signal  { return nil }
func changeSignals() []Signal { return nil }
func bugfixSignals() []Signal { return nil }
