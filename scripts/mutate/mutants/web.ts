import { within } from "../mutant.ts";

export const webMutants = within("web/src", [
  {
    fault: "a complete series is requested again",
    text: "offset + fresh.first_point > old.points.length",
    replacement: "offset + fresh.first_point >= old.points.length",
    tests: "data/merge-series",
  },
  {
    fault: "a cell that begins with @ is a formula",
    text: "/^[\\s]*[=+\\-@|]|^[\\t\\r\\n]/",
    replacement: "/^[\\s]*[=+\\-|]|^[\\t\\r\\n]/",
    tests: "data/csv",
  },
  {
    fault: "markers are in no order",
    text: "changes.toSorted((one, other) => one.at - other.at)",
    replacement: "changes",
    tests: "data/markers",
  },
  {
    fault: "a copied command has redacted headers",
    text: "!value.includes(redacted) && ",
    replacement: "",
    tests: "trace/curl",
  },
  {
    fault: "optional credentials are shown as required",
    text: "security.every((each) => Object.keys(each).length > 0)",
    replacement: "security.some((each) => Object.keys(each).length > 0)",
    tests: "explorer/auth/schemes",
  },
  {
    fault: "the smallest difference is first",
    text: "scoreOf(other) - scoreOf(one)",
    replacement: "scoreOf(one) - scoreOf(other)",
    tests: "comparison/findings",
  },
  {
    fault: "a period can be empty",
    text: "Number(at) < Number(until)",
    replacement: "Number(at) <= Number(until)",
    tests: "comparison/periods",
  },
  {
    fault: "text can be shown backwards",
    text: "\\u200f\\u202a-\\u202e\\u2060\\u2066",
    replacement: "\\u200f\\u2060\\u2066",
    tests: "format/control-characters",
  },
]);
