"""Says of instances whether a schema accepts them: the Python package `jsonschema`, which shares nothing with the
validator of the runtime. A question a line comes in, verdicts a line go out.

Where the package follows Python rather than JSON Schema, it is set right: patterns are those of ECMA-262, and
`multipleOf` counts in decimal.
"""

import json
import re
import sys
import warnings
from fractions import Fraction
from functools import lru_cache

warnings.filterwarnings("ignore")

import jsonschema._keywords
import jsonschema._legacy_keywords
import jsonschema._utils
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import validator_for


@lru_cache(maxsize=None)
def ecma(pattern):
    """Compiles a pattern of ECMA-262: `$` is the end and nothing before it, groups are named without a `P`, and classes
    know ASCII only."""
    out, at, in_class = [], 0, False
    while at < len(pattern):
        letter = pattern[at]
        if letter == "\\":
            if pattern.startswith("\\k<", at):
                end = pattern.index(">", at)
                out.append(f"(?P={pattern[at + 3:end]})")
                at = end + 1
                continue
            out.append(pattern[at : at + 2])
            at += 2
            continue
        if letter == "[":
            in_class = True
        elif letter == "]":
            in_class = False
        elif letter == "$" and not in_class:
            letter = r"\Z"
        elif not in_class and re.match(r"\(\?<[^=!]", pattern[at:]):
            letter = "(?P<"
            at += 2
        out.append(letter)
        at += 1
    return re.compile("".join(out), re.ASCII)


class Ecma:
    """Stands in for the module `re` where the package searches for patterns."""

    @staticmethod
    def search(pattern, text):
        return ecma(pattern).search(text)


for module in (jsonschema._keywords, jsonschema._legacy_keywords, jsonschema._utils):
    if hasattr(module, "re"):
        module.re = Ecma


def multiple_of(validator, step, instance, schema):
    if validator.is_type(instance, "number") and Fraction(str(instance)) % Fraction(str(step)) != 0:
        yield ValidationError(f"{instance!r} is not a multiple of {step}")


for line in sys.stdin:
    case = json.loads(line)
    schema = case["schema"]
    cls = validator_for(schema, default=Draft202012Validator)
    cls.VALIDATORS["multipleOf"] = multiple_of
    validator = cls(schema)
    verdicts, error = [], None
    for instance in case["instances"]:
        try:
            verdicts.append(validator.is_valid(instance))
        except Exception as caught:
            verdicts.append(None)
            error = f"{type(caught).__name__}: {caught}"
    print(json.dumps({"verdicts": verdicts, "error": error}))
