"""Results as JUnit XML."""

from xml.etree import ElementTree as ET

from arena.grading.marking import Grade
from arena.grading.reports.results import junit_xml


def suites(grades: dict[str, Grade]) -> dict[str, ET.Element]:
    root = ET.fromstring(junit_xml([*grades.values()]))
    return {suite.attrib["name"]: suite for suite in root}


def test_counts(grades: dict[str, Grade]) -> None:
    found = {
        name: tuple(suite.attrib[key] for key in ("tests", "failures", "errors"))
        for name, suite in suites(grades).items()
    }
    assert found["ada"] == ("6", "0", "0")
    assert found["bob"] == ("6", "6", "0")
    assert found["=eve"] == ("6", "0", "5")
    assert found["lou"] == ("6", "0", "6")


def test_a_failure_names_the_wrong_lines(grades: dict[str, Grade]) -> None:
    failure = suites(grades)["bob"].find("testcase/failure")
    assert failure is not None
    assert failure.attrib["message"] == "Max Depth Reached: expected 2, got 3 (wrong)"


def test_characters_that_xml_lacks_are_replaced(grades: dict[str, Grade]) -> None:
    error = suites(grades)["=eve"].find("testcase/error")
    assert error is not None
    assert error.attrib["message"].endswith("\N{REPLACEMENT CHARACTER}")
