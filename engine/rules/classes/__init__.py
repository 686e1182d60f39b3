"""What classes, feats and scores give."""
