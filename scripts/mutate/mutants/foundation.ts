import { within } from "../mutant.ts";

export const foundationMutants = [
  ...within("src/lib", [
    {
      fault: "a network is larger than /64",
      text: '...back.split(":")].slice(0, 4)',
      replacement: '...back.split(":")].slice(0, 3)',
      tests: "network",
    },
    {
      fault: "a cell that begins with @ is a formula",
      text: "/^[=+\\-@\\p{Cc}]/u",
      replacement: "/^[=+\\-\\p{Cc}]/u",
      tests: "text/csv",
    },
    {
      fault: "passphrases are not redacted",
      text: "pwd|passphrase|",
      replacement: "pwd|",
      tests: "redaction/sensitive-names",
    },
    {
      fault: "secrets in the query of a path are shown",
      text: "isSuspicious ? redactText(plain, rules) : plain",
      replacement: "plain",
      tests: "redaction/redactor",
    },
    {
      fault: "a day has one hour",
      text: "h: hourMs, d: dayMs }",
      replacement: "h: hourMs, d: hourMs }",
      tests: "time/period",
    },
    {
      fault: "a millisecond is shown in microseconds",
      text: "if (microseconds < 1000)",
      replacement: "if (microseconds <= 1000)",
      tests: "time/duration",
    },
  ]),
  ...within("src/storage", [
    {
      fault: "a database of a newer version is opened",
      text: "refuseNewer(executed, sets);\n  if (known.every",
      replacement: "if (known.every",
      tests: ["database", "sqlite/sqlite"],
    },
    {
      fault: "a released folder stays locked",
      text: "held.delete(file);\n    file.close();",
      replacement: "held.delete(file);",
      tests: "data-dir-lock",
    },
    {
      fault: "a server that refuses writes is healthy",
      text: '[/^25006$/, "read_only"],',
      replacement: "",
      tests: "postgres/failures",
    },
    {
      fault: "values that break a constraint count as damage",
      text: 'text !== "ok" && !isConstraint(text)',
      replacement: 'text !== "ok"',
      tests: "sqlite/start-check",
    },
  ]),
];
