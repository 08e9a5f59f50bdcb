"""Imported by the process that readers are forked from before all else that it loads.

What it loads stays, and to look through it again and again for garbage takes a fifth of the time.
`preloaded`, the last of it, looks once and lets the collector go on.
"""

import gc

gc.disable()
