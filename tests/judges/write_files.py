"""Writes the files of a cloud-config below a directory, with cloud-init's own module."""
import sys

import yaml
from cloudinit.config import cc_write_files

directory = sys.argv[1]
files = yaml.safe_load(sys.stdin)["write_files"]
for file in files:
    file["path"] = directory + file["path"]
cc_write_files.write_files("write-files", files, "root:root")
