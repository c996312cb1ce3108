import { within } from "../mutant.ts";

export const applicationMutants = [
  ...within("src/app", [
    {
      fault: "hooks run in reverse order",
      text: "one.priority - other.priority",
      replacement: "other.priority - one.priority",
      tests: "hooks",
    },
    {
      fault: "a hook with the ID of another one is added",
      text: "if (taken === -1) this.entries.push(entry);\n    else this.entries[taken] = entry;",
      replacement: "this.entries.push(entry);",
      tests: "hooks",
    },
    {
      fault: "a hook runs before the one before it has ended",
      text: "await entry.hook({ ...event, next });",
      replacement: "void entry.hook({ ...event, next });",
      tests: "hooks",
    },
    {
      fault: "a second signal does not end the process",
      text: "if (this.hasSignal || !canStop) process.exit",
      replacement: "if (!canStop) process.exit",
      tests: "signals",
    },
  ]),
  ...within("src/cli", [
    {
      fault: "a syntax error is one column too far left",
      text: "before.at(-1)!.length + 1}",
      replacement: "before.at(-1)!.length}",
      tests: "syntax-check",
    },
    {
      fault: "annex without a command succeeds",
      text: "return name === undefined ? exitUsage : 0;",
      replacement: "return 0;",
      tests: "main",
    },
  ]),
];
