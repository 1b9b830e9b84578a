#!/usr/bin/env python3
"""archive.py DIRECTORY FILE: packs a directory as FILE (.tar or .tar.gz); the bytes follow from names, modes and contents.

The paths in the archive begin with the directory's name, or with nothing if DIRECTORY ends with a slash.
"""

import gzip
import io
import os
import sys
import tarfile


def packed(directory):
    """Returns an uncompressed archive of the directory, sorted, owned by root, with the time of SOURCE_DATE_EPOCH."""
    stream = io.BytesIO()
    top = "" if directory.endswith("/") else os.path.basename(directory)
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(below(directory)):
            name = os.path.normpath(os.path.join(top, os.path.relpath(path, directory)))
            if name != ".":
                add(archive, path, name)
    return stream.getvalue()


def below(directory):
    yield directory
    for parent, directories, files in os.walk(directory):
        yield from (os.path.join(parent, name) for name in directories + files)


def add(archive, path, name):
    entry = archive.gettarinfo(path, name)
    entry.mtime = int(os.environ["SOURCE_DATE_EPOCH"])
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    # Whatever the umask was.
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    if entry.isfile():
        with open(path, "rb") as file:
            archive.addfile(entry, file)
    else:
        archive.addfile(entry)


def compressed(data):
    return gzip.compress(data, compresslevel=9, mtime=0)


def main():
    directory, target = sys.argv[1:]
    data = packed(directory)
    with open(target, "wb") as file:
        file.write(compressed(data) if target.endswith(".gz") else data)


if __name__ == "__main__":
    main()
