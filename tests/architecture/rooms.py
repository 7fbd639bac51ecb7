"""Which room of the sources includes which, held against what docs/architecture.md allows.

The document has a block that starts with ```arrows and holds a line per room: `room -> rooms it may include`.
"""

import re
from pathlib import Path

PUBLIC = "polystep"  # include/polystep, which every room may include
OUTSIDE = {"apps": "apps", "python": "python/bindings"}  # rooms that are not folders of src/


def allowed_arrows(document: str) -> dict[str, set[str]]:
    block = re.search(r"^```arrows\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)
    if block is None:
        raise ValueError("the document has no block of arrows")
    arrows = {}
    for line in block[1].splitlines():
        parsed = re.fullmatch(r"(\w+) +->((?: +\w+,?)*)", line)
        if parsed is None:
            raise ValueError(f"not an arrow: '{line}', expected 'room -> room, room'")
        if parsed[1] in arrows:
            raise ValueError(f"{parsed[1]} is listed twice")
        arrows[parsed[1]] = set(re.findall(r"\w+", parsed[2]))
    return arrows


def rooms_of(project: Path) -> dict[str, Path]:
    rooms = {folder.name: folder for folder in sorted((project / "src").iterdir()) if folder.is_dir()}
    rooms.update({name: project / folder for name, folder in OUTSIDE.items() if (project / folder).is_dir()})
    return rooms


def cycle_among(arrows: dict[str, set[str]]) -> list[str]:
    """Rooms that lead back to where they start, or nothing."""
    finished = set()

    def follow(room, path):
        if room in path:
            return path[path.index(room) :] + [room]
        if room not in finished:
            for other in sorted(arrows.get(room, ())):
                if cycle := follow(other, path + [room]):
                    return cycle
            finished.add(room)
        return []

    for room in sorted(arrows):
        if cycle := follow(room, []):
            return cycle
    return []


def complaints(project: Path) -> list[str]:
    arrows = allowed_arrows((project / "docs" / "architecture.md").read_text(encoding="utf-8"))
    rooms = rooms_of(project)
    found = [f"room {room} is not listed" for room in rooms if room not in arrows]
    found += [f"room {room} is listed but does not exist" for room in arrows if room not in rooms]
    for room, others in arrows.items():
        found += [f"{room} -> {other}: there is no such room" for other in sorted(others - rooms.keys())]
    if cycle := cycle_among(arrows):
        found.append("the arrows run in a circle: " + " -> ".join(cycle))
    for room, folder in rooms.items():
        for file in sorted([*folder.rglob("*.hpp"), *folder.rglob("*.cpp")]):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                include = re.match(r'\s*#\s*include\s*[<"]([^/>"]+)/', line)
                if include is None:
                    continue
                where = f"{file.relative_to(project)}:{number}"
                if include[1] in (".", ".."):
                    found.append(f"{where} includes by a path from its own folder, expected one from src/")
                elif include[1] in rooms and include[1] != room and include[1] not in arrows.get(room, ()):
                    found.append(f"{where} includes {include[1]}, which {room} may not")
    return found
