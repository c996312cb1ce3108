import { parseArgs } from "node:util";
import { type Command, UsageError } from "../command.ts";
import { runInApplication } from "../task.ts";

export const doctor: Command = {
  help: [
    "Usage: annex doctor <entry>",
    "",
    "Runs the application's entry file without opening a port or a database, analyzes the source of its handlers, and",
    "lists everything that could not be resolved, with the reason, a remedy, and the file, line and operations.",
    "",
    "Exit codes: 0 without diagnostics, 2 with diagnostics, 1 if the application failed or did not call app.start(),",
    "64 if the arguments are invalid.",
    "",
    "  annex doctor server.ts",
  ].join("\n"),
  async run(args) {
    const { positionals } = readArgs(args);
    const [entry, ...rest] = positionals;
    if (entry === undefined || rest.length > 0)
      throw new UsageError("Specify the application's entry file, such as server.ts.");
    return runInApplication(entry, { kind: "doctor" });
  },
};

function readArgs(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true });
  } catch (error) {
    const [reason] = (error as Error).message.split(". ");
    throw new UsageError(`${reason}.`);
  }
}
