#!/usr/bin/env python3
"""Check an audit chain exported by `swapctl policy audit export`, without swapctl.

usage: verify_audit.py audit.jsonl [n:hash]

Each line is a JSON object whose last key, "hash", is the SHA-256 of the line
without that key; "previous" is the hash of the line before. A head n:hash that
was kept elsewhere also shows that the end was cut off, or the chain rewritten.
Exits with 0 if the chain is whole, 1 if it was changed, 2 on wrong usage.
"""
import hashlib
import json
import re
import sys

LINE = re.compile(rb'(\{.*),"hash":"([0-9a-f]{64})"\}', re.DOTALL)
START = "0" * 64


def problems(lines, head):
    previous, count, number = START, 0, 0
    for count, line in enumerate(lines, 1):
        match = LINE.fullmatch(line.rstrip(b"\n"))
        if match is None:
            yield f"line {count}: not a link"
            previous = ""
            continue
        body, digest = match[1] + b"}", match[2].decode()
        if hashlib.sha256(body).hexdigest() != digest:
            yield f"line {count}: changed"
        link = json.loads(body)
        number += 1
        if link.get("n") != number:
            yield f"line {count}: has the number {link.get('n')}, not {number}"
            number = link.get("n") if isinstance(link.get("n"), int) else number
        if link.get("previous") != previous:
            yield f"line {count}: does not follow the line before it"
        if head is not None and head[0] == number and head[1] != digest:
            yield f"line {count}: not the link of the given head"
        previous = digest
    if head is not None and head[0] > number:
        yield f"ends after {count} links, before link {head[0]} of the given head"
    print(f"{count} links, head {number}:{previous}")


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    number, _, digest = (arguments[1] if len(arguments) == 2 else "").partition(":")
    head = (int(number), digest) if digest else None
    with open(arguments[0], "rb") as export:
        found = list(problems(export, head))
    print("\n".join(found) if found else "the chain is whole")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
