"""The command of `companion.bootstrap.set_up`."""

from companion.bootstrap.set_up import main

raise SystemExit(main())
