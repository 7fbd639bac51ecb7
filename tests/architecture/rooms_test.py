"""The sources keep to the arrows of docs/architecture.md, and the check that says so would notice if not."""

import tempfile
import unittest
from pathlib import Path

from rooms import complaints

PROJECT = Path(__file__).resolve().parents[2]


class Project(unittest.TestCase):
    def test_rooms_include_only_what_the_document_allows(self):
        self.assertEqual(complaints(PROJECT), [])


class SmallProject(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.project = Path(place.name)
        self.arrows("base ->", "data -> base", "apps -> data")
        self.source("src/base/files.cpp", '#include "base/files.hpp"\n#include <sys/stat.h>\n')
        self.source("src/data/csv/reader.cpp", '#include "base/files.hpp"\n#include "polystep/error.hpp"\n')
        self.source("apps/program/main.cpp", '#include "data/tables/csv.hpp"\n')

    def source(self, path, text):
        (self.project / path).parent.mkdir(parents=True, exist_ok=True)
        (self.project / path).write_text(text)

    def arrows(self, *lines):
        self.source("docs/architecture.md", "\n".join(["# Rooms", "```arrows", *lines, "```", ""]))

    def test_a_project_in_order_has_no_complaints(self):
        self.assertEqual(complaints(self.project), [])

    def test_an_include_against_the_arrows_is_found(self):
        self.source("src/base/deep/er.hpp", '#pragma once\n#include "data/tables/csv.hpp"\n')
        self.assertEqual(complaints(self.project), ["src/base/deep/er.hpp:2 includes data, which base may not"])

    def test_arrows_do_not_add_up(self):
        self.source("apps/program/main.cpp", '#include <base/files.hpp>\n')
        self.assertEqual(complaints(self.project), ["apps/program/main.cpp:1 includes base, which apps may not"])

    def test_a_circle_is_found(self):
        self.arrows("base -> data", "data -> base", "apps -> data")
        self.assertEqual(complaints(self.project), ["the arrows run in a circle: data -> base -> data"])

    def test_a_room_that_is_not_listed_is_found(self):
        self.source("src/attic/box.cpp", "")
        self.assertEqual(complaints(self.project), ["room attic is not listed"])

    def test_a_listed_room_that_does_not_exist_is_found(self):
        self.arrows("base ->", "data -> base, cellar", "apps -> data", "attic -> base")
        self.assertEqual(
            complaints(self.project),
            ["room attic is listed but does not exist", "data -> cellar: there is no such room"],
        )

    def test_a_path_from_the_own_folder_is_found(self):
        self.source("src/base/files.cpp", '#include "../data/csv.hpp"\n')
        self.assertIn("includes by a path from its own folder", complaints(self.project)[0])

    def test_a_line_that_is_no_arrow_is_refused(self):
        self.arrows("base", "data -> base")
        with self.assertRaisesRegex(ValueError, "not an arrow: 'base'"):
            complaints(self.project)


if __name__ == "__main__":
    unittest.main()
