import { readErrorChain } from "../lib/error-chain.ts";
import { ApiError } from "../lib/errors.ts";
import { defaultRedactor } from "../lib/redactor.ts";
import { StartError } from "../lib/start-error.ts";
import { build } from "./build.ts";
import { type Command, print, printProblem, UsageError } from "./command.ts";
import { dev } from "./dev.ts";
import { doctor } from "./doctor.ts";
import { init } from "./init.ts";
import { specs } from "./specs.ts";
import { superuser } from "./superuser.ts";

/** The commands, in the order of `annex --help`. */
export const commands: readonly Command[] = [init, dev, build, specs, doctor, superuser];

const exitUsage = 64;

export async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    print(overview());
    return name === undefined ? exitUsage : 0;
  }
  const command = commands.find((each) => each.name === name);
  try {
    if (command === undefined) throw new UsageError(`Unknown command "${name}".`);
    if (args.includes("--help") || args.includes("-h")) {
      print(command.help);
      return 0;
    }
    return await command.run(args);
  } catch (error) {
    return explain(error, command);
  }
}

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return ["Usage: annex <command>", "", ...lines, "", 'Run "annex <command> --help" for details.'].join("\n");
}

/** Prints one sentence for errors that the user can fix, otherwise the stack. */
function explain(error: unknown, command: Command | undefined): number {
  if (error instanceof UsageError) {
    printProblem(`${error.message} See ${["annex", command?.name, "--help"].filter(Boolean).join(" ")}.`);
    return exitUsage;
  }
  if (error instanceof StartError) {
    printProblem(error.message);
    return error.exitCode;
  }
  if (error instanceof ApiError) {
    printProblem([...new Set([error.message, ...fieldMessages(error.data)])].join(" "));
    return 1;
  }
  printProblem(describeFailure(error));
  return 1;
}

/** The stack, with all causes. */
function describeFailure(error: unknown): string {
  const { type, message, stack, causes } = readErrorChain(error, defaultRedactor);
  const lines = causes.map((cause) => `Caused by: ${cause.stack || `${cause.type}: ${cause.message}`}`);
  return [stack || `${type}: ${message}`, ...lines].join("\n");
}

function fieldMessages(data: object): string[] {
  return Object.values(data).flatMap((problem) =>
    typeof problem?.message === "string" ? [problem.message] : [],
  );
}
