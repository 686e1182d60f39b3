"""What the build of the documentation makes from the code: pages of reference, rulebooks, a gallery."""
