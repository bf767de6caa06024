"""The box's own certificates, for serving the page over https: browsers keep a screen awake only then."""
