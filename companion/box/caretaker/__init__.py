"""What the box does as root when the host asks for it on the page: a closed list of requests, one at a time.

The service has no rights of its own. It writes `request.json` into its state folder;
systemd sees the file and starts the caretaker, which carries it out and leaves its answer in a folder that is root's.
"""
