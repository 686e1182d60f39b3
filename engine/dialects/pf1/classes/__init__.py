"""Classes: class abilities, feats, skills, saving throws and checks."""
