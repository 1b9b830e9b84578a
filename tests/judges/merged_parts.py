"""Reads a JSON list of user data in base64 and prints, for each, the types of its parts and the cloud-config that cloud-init makes of them."""

import base64
import json
import sys

from cloudinit import handlers, helpers, user_data
from cloudinit.handlers.cloud_config import CloudConfigPartHandler


def merged(data):
    processor = user_data.UserDataProcessor(helpers.Paths({"cloud_dir": "/nonexistent", "run_dir": "/nonexistent"}))
    handler = CloudConfigPartHandler(helpers.Paths({"cloud_dir": "/nonexistent", "run_dir": "/nonexistent"}))
    handler.handle_part(None, handlers.CONTENT_START, None, None, None, None)
    types, texts = [], []
    for part in processor.process(data).walk():
        if part.get_content_maintype() == "multipart":
            continue
        types.append(part.get_content_type())
        text = part.get_payload(decode=True).decode()
        texts.append(text)
        if part.get_content_type() == "text/cloud-config":
            handler.handle_part(text, part.get_content_type(), "part", text, None, dict(part.items()))
    return types, texts, json.loads(json.dumps(handler.cloud_buf, default=lambda value: base64.b64encode(value).decode()))


json.dump([merged(base64.b64decode(data)) for data in json.load(sys.stdin)], sys.stdout)
