package doctor

// All lists the probes in the order in which they run and are shown: what the
// client reads, what is in force, each command and script, then our own entries
// in action, then what sessions left behind.
func All() []Probe {
	return []Probe{
		settingsRead(),
		hooksDisabled(),
		commandText(),
		places(),
		handlerFields(),
		scripts(),
		recursion(),
		rcNoise(),
		agentFiles(),
		otherClients(),
		setUp(),
		policies(),
		repositoryFacts(),
		ownProgram(),
		ownEntries(),
		sessions(),
		leftOver(),
		standIns(),
	}
}
