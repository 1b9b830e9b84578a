#!/usr/bin/env python3
"""Fetches the boothook of this node from the protected settings of the extension.

The boothook in CustomData runs this file with python3. The controller does the work.
"""

import os
import sys

CONTROLLER = "/opt/azure/containers/aks-node-controller"

os.execv(CONTROLLER, [CONTROLLER, "fetch", *sys.argv[1:]])
