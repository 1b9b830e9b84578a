"""Reads a JSON list of user data in base64 and prints, for each, the parts that cloud-init finds as pairs of type and content."""

import base64
import json
import sys

from cloudinit import helpers, user_data


def parts_of(data):
    processor = user_data.UserDataProcessor(helpers.Paths({"cloud_dir": "/nonexistent", "run_dir": "/nonexistent"}))
    for part in processor.process(data).walk():
        if part.get_content_maintype() != "multipart":
            yield part.get_content_type(), part.get_payload(decode=True).decode()


json.dump([list(parts_of(base64.b64decode(data))) for data in json.load(sys.stdin)], sys.stdout)
