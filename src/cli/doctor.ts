import { parseArgs } from "node:util";
import { escapeControls } from "../lib/terminal-text.ts";
import { type Command, printProblem, UsageError } from "./command.ts";
import { sendOnErrand } from "./errand.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "tell what the documentation of an application could not find out",
  help: [
    "Usage: annex doctor <entry>",
    "",
    "Runs the application's entry, which needs neither a port nor a database for this, reads the source of its handlers and",
    "lists every place where something could not be resolved, with what to do about it. Ends with 0 when there is",
    "none, with 2 when there are some.",
    "",
    "  annex doctor server.ts",
  ].join("\n"),
  async run(args) {
    const { positionals } = readArgs(args);
    const [entry, ...rest] = positionals;
    if (entry === undefined || rest.length > 0)
      throw new UsageError("Say which file is the application's entry.");
    const code = await sendOnErrand(entry, { kind: "doctor" });
    if (code !== undefined) return code;
    printProblem(
      `${escapeControls(entry)} has to call createApp({ versions }) and app.start(), as it does to serve.`,
    );
    return 1;
  },
};

function readArgs(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`);
  }
}
