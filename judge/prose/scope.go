package prose

func (d *Document) readScope(r *Reading)        {}
func (d *Document) readChange(r *Reading)       {}
func (d *Document) readShallow(r *Reading)      {}
func (d *Document) readReproduction(r *Reading) {}
