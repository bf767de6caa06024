"""The box's own certificates, for whoever wants the page over https: browsers keep a screen awake only then."""
