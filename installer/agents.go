package installer

// agentTargets lists the agent files that get hooks, or for an undo all of them.
func (r Request) agentTargets(own owner, plan *Plan) ([]target, error) {
	return nil, nil
}
