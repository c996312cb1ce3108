import { hostname } from "node:os";
import { resolve } from "node:path";
import { option, type Parse, text, textLike } from "../../lib/options/option.ts";
import { defineFlatOptions, defineGroup, defineOptions } from "../../lib/options/option-set.ts";
import { findRelease, longestRelease } from "../../lib/release/release.ts";
import type { Migration } from "../../storage/index.ts";

const parseFolder: Parse<string> = (value) => resolve(text("the path of a folder")(value));

/** Plain segments, so that the path needs no encoding in links, headers and cookies. */
const parseBasePath: Parse<string> = (value) => {
  const path = typeof value === "string" ? value.replace(/\/$/, "") : undefined;
  if (path !== undefined && /^(\/(?!\.\.?(?:\/|$))[A-Za-z0-9._~-]+)*$/.test(path)) return path;
  throw new Error("a path such as /internal, with letters, digits, dots, dashes, underscores and tildes");
};

const parseMigrations: Parse<Record<string, Migration>> = (value) => {
  const isMigration = (entry: unknown) => typeof (entry as Migration | null)?.up === "function";
  if (typeof value === "object" && value !== null && Object.values(value).every(isMigration)) {
    return value as Record<string, Migration>;
  }
  throw new Error("an object of migrations by name, each with an up function");
};

/** Server, port and database name. The user info and the query may contain a user name and a password. */
function showDatabase(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : "postgres://…";
}

const serverGroup = defineGroup({ name: "server", title: "Server", order: 10 });

/** Options of the application as a whole. */
export const serverOptions = defineFlatOptions(serverGroup, {
  dev: option.flag({
    defaultFrom: ({ environment }) => environment.NODE_ENV !== "production",
    defaultText: "`NODE_ENV` is not `production`",
    about: "Development mode: documents are generated from the source, and more is logged.",
  }),
  port: option.number({
    integer: { min: 0, max: 65_535 },
    env: ["SVC_PORT", "PORT"],
    default: 8090,
    about: "Port to listen on. `0` selects a free port.",
  }),
  host: option.text({
    parse: text("an address such as 127.0.0.1"),
    env: "SVC_HOST",
    // Hosting platforms set PORT and connect to the container from outside.
    defaultFrom: ({ variableOf }) => (variableOf("port") === "PORT" ? "0.0.0.0" : "127.0.0.1"),
    defaultText: "`127.0.0.1`",
    about: "Address to listen on.",
    more: "Use `0.0.0.0` for all interfaces, which is the default if the port comes from `PORT`.",
  }),
  basePath: option.text({
    parse: parseBasePath,
    env: "SVC_BASE_PATH",
    default: "",
    defaultText: "none",
    about:
      "Path before all paths of Annex: with `/internal`, the dashboard is at `/internal/_/_`. Routes of the application are not moved.",
    more: "See [base path](operation.md#base-path).",
  }),
  dataDir: option.text({
    parse: parseFolder,
    env: "SVC_DATA_DIR",
    defaultFrom: () => resolve("./svc_data"),
    defaultText: "`./svc_data`",
    about: "Folder for all stored data.",
  }),
  database: option.optionalText({
    parse: textLike(/^postgres(ql)?:\/\//, "a URL that begins with postgres://"),
    env: "SVC_DATABASE_URL",
    defaultText: "SQLite in the data folder",
    about: "PostgreSQL URL (`postgres://…`). Several instances can share one database.",
    show: showDatabase,
  }),
  databaseTimeoutMs: option.number({
    integer: { min: 100, max: 3_600_000 },
    env: "SVC_DATABASE_TIMEOUT_MS",
    default: 5_000,
    about:
      "Timeout of a PostgreSQL query, in milliseconds. Slower queries fail with `503`. Migrations have no timeout.",
  }),
  databasePoolSize: option.number({
    integer: { min: 1, max: 1_000 },
    env: "SVC_DATABASE_POOL_SIZE",
    default: 10,
    about:
      "Maximum number of PostgreSQL connections for requests and jobs. The background threads use up to four more.",
    more: "See [connections](storage.md#connections).",
  }),
  databaseConnectTimeoutMs: option.number({
    integer: { min: 10, max: 3_600_000 },
    env: "SVC_DATABASE_CONNECT_TIMEOUT_MS",
    defaultFrom: ({ value }) => Math.min(10_000, Math.ceil((value("databaseTimeoutMs") as number) * 0.8)),
    defaultText: "80% of `databaseTimeoutMs`, at most 10000",
    about: "How long a query waits for a free or new PostgreSQL connection, in milliseconds.",
  }),
  databaseIdleTimeoutMs: option.number({
    integer: { min: 0, max: 3_600_000 },
    env: "SVC_DATABASE_IDLE_TIMEOUT_MS",
    default: 10_000,
    about:
      "Time after which an unused PostgreSQL connection is closed, in milliseconds. `0` keeps connections open.",
  }),
  databaseWaitMs: option.number({
    integer: { min: 0, max: 3_600_000 },
    env: "SVC_DATABASE_WAIT_MS",
    default: 30_000,
    about: "How long a start waits for PostgreSQL, in milliseconds. `0` does not wait.",
    more: "See [startup errors](operation.md#startup-errors).",
  }),
  instance: option.text({
    parse: textLike(/^[\x21-\x7e]{1,100}$/, "a name of 1 to 100 printable ASCII characters without spaces"),
    env: "SVC_INSTANCE",
    defaultFrom: () => hostname(),
    defaultText: "the host's name",
    about: "Name of this machine or container among the instances.",
  }),
  release: option.custom<string | undefined, string>({
    type: "string",
    parse: textLike(
      new RegExp(`^[\\x21-\\x7e]{1,${longestRelease}}$`),
      `a name of 1 to ${longestRelease} printable ASCII characters without spaces`,
    ),
    env: "SVC_RELEASE",
    defaultFrom: ({ environment }) => findRelease(environment),
    defaultText: "the package's version and the commit",
    about: "Release of the application, such as `1.4.2+3f2a91c`. The dashboard marks it in every chart.",
    more: "See [releases](dashboard.md#releases).",
  }),
  migrations: option.custom<Readonly<Record<string, Migration>>, Record<string, Migration>>({
    type: "Record<string, Migration>",
    parse: parseMigrations,
    default: {},
    defaultText: "none",
    about:
      'Migrations of the application\'s own tables, by name: `{ "001-todos": { up: (db, types) => … } }`.',
    more: "See [storage](storage.md).",
    show: (value) => Object.keys(value),
  }),
  signals: option.flag({
    default: true,
    about: "Whether signals such as SIGTERM, and the message `shutdown`, stop the application.",
  }),
});

const shutdownGroup = defineGroup({
  name: "shutdown",
  title: "Shutdown",
  about: "Timing of a graceful shutdown.",
  order: 100,
});

/** Timing of a graceful shutdown. */
export const shutdownOptions = defineOptions(shutdownGroup, {
  graceMs: option.number({
    integer: { min: 0, max: 3_600_000 },
    env: "SVC_SHUTDOWN_GRACE_MS",
    default: 10_000,
    about: "Time that requests in flight have to finish during a shutdown, in milliseconds.",
  }),
  drainMs: option.number({
    integer: { min: 0, max: 3_600_000 },
    env: "SVC_SHUTDOWN_DRAIN_MS",
    default: 0,
    about: "How long the health endpoint returns `draining` before the port closes, in milliseconds.",
  }),
});
