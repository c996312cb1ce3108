import { parseArgs } from "node:util";
import { resolveConfig } from "../../app/config/config.ts";
import { openStore } from "../../app/databases.ts";
import { features } from "../../app/features.ts";
import { createAuth, type Superusers, type Weakness } from "../../auth/index.ts";
import type { Feature } from "../../feature/index.ts";
import { defined } from "../../lib/defined.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import { systemClock } from "../../lib/time/clock.ts";
import { type Command, print, printProblem, UsageError } from "../command.ts";
import { readNewPassword } from "../password-prompt.ts";

type Action = (superusers: Superusers, email: string) => Promise<void>;

const actions: Record<string, Action> = {
  async create(superusers, email) {
    const { email: created } = await superusers.create(email, await readNewPassword());
    print(`Created superuser ${escapeControls(created)}.`);
  },
  async password(superusers, email) {
    await superusers.changePassword(email, await readNewPassword());
    print(`Changed the password of ${escapeControls(email)}. All sessions of the account have ended.`);
  },
  async remove(superusers, email) {
    await superusers.remove(email);
    print(`Removed superuser ${escapeControls(email)}.`);
  },
};

const weaknesses: Record<Weakness, string> = {
  too_common: "This password is too common.",
  too_simple: "This password is too simple.",
  same_as_email: "This password is the email address or a part of it.",
};

/** Uses the database directly, so the server can be running or stopped. */
export const superuser: Command = {
  help: [
    "Usage: annex superuser create <email>",
    "       annex superuser password <email>   changes the password and ends the account's sessions",
    "       annex superuser remove <email>",
    "       annex superuser list",
    "",
    "The command prompts for the password without echoing it, or reads it from standard input:",
    "  printf '%s' \"$PASSWORD\" | annex superuser create me@example.com",
    "",
    "Options:",
    "  --data-dir <folder>   data folder of the application (default ./svc_data, environment SVC_DATA_DIR)",
    "  --database <url>      PostgreSQL database of the application, if it uses one (environment SVC_DATABASE_URL)",
  ].join("\n"),
  async run(args) {
    const { action, email, config } = parseCall(args);
    await using database = await openStore(config.server, features);
    const shared = { database: async () => database, clock: systemClock };
    const context = {
      ...shared,
      allOptions: config.options,
      instance: config.server.instance,
      detail: "on the command line",
      warn: printProblem,
    };
    const observers = (features as readonly Feature[]).flatMap(
      (feature) => feature.observeAccounts?.(context) ?? [],
    );
    const { superusers } = createAuth({
      ...shared,
      onWeakPassword: config.server.dev
        ? ({ reason }) => printProblem(`${weaknesses[reason]} It would be rejected in production.`)
        : undefined,
      onAccess(event) {
        for (const { onAccess } of observers) onAccess?.(event);
      },
      onChange(change) {
        for (const { onChange } of observers) onChange?.(change);
      },
    });
    if (action === undefined) for (const { email } of await superusers.list()) print(escapeControls(email));
    else await action(superusers, email!);
    await Promise.all(observers.map(({ close }) => close()));
    return 0;
  },
};

function parseCall(args: string[]) {
  const { values, positionals } = parse(args);
  const [name, email, ...more] = positionals;
  const config = resolveConfig(defined({ dataDir: values["data-dir"], database: values.database }));
  if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`);
  if (name === "list" && email === undefined) return { config };
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined)
    throw new UsageError(`Specify an action: ${Object.keys(actions).join(", ")} or list.`);
  if (email === undefined) throw new UsageError("Specify the email address of the account.");
  return { action, email, config };
}

function parse(args: string[]) {
  try {
    const options = { "data-dir": { type: "string" }, database: { type: "string" } } as const;
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
