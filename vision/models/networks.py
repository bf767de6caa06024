"""The networks: frames in, plain numbers out.

A detector and a classifier, and a second pair trained separately: a mistake of one is seldom made by the other. The
second classifier sees more of the surroundings. The weights ship in `vision/models`; the model card beside them and
`vision/training` say how they were made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

