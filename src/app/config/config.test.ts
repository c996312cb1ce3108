import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { APIVersionManager } from "../../features/docs/index.ts";
import { resolveConfig } from "./config.ts";
import type { AppOptions } from "./options.ts";

describe("the configuration", () => {
  it("is complete without any option", () => {
    const { server, shutdown, limits, options } = resolveConfig({}, {});
    const { host, port, database, dev, trustedProxies, signals, dataDir } = server;
    assert.deepEqual(
      { host, port, database, dev, trustedProxies, signals },
      {
        host: "127.0.0.1",
        port: 8090,
        database: undefined,
        dev: true,
        trustedProxies: undefined,
        signals: true,
      },
    );
    assert.deepEqual({ ...shutdown }, { graceMs: 10_000, drainMs: 0 });
    assert.match(dataDir, /svc_data$/);
    const log = ["logLevel", "log.destination", "log.store"].map((name) => options.get(name));
    assert.deepEqual(log, ["debug", "stdout", true]);
    assert.equal(limits.bodyBytes, 1_048_576);
  });

  it("takes the number of a log level, also from the environment", () => {
    assert.equal(resolveConfig({ logLevel: 4 }, {}).options.get("logLevel"), "warn");
    assert.equal(resolveConfig({}, { SVC_LOG_LEVEL: "-4" }).options.get("logLevel"), "debug");
  });

  it("in production is quieter", () => {
    const { server, options } = resolveConfig({}, { NODE_ENV: "production" });
    assert.deepEqual([server.dev, options.get("logLevel")], [false, "info"]);
  });

  it("has no idle timeout unless one is given, of two minutes at least", () => {
    const read = (SVC_AUTH_IDLE_MINUTES?: string) =>
      resolveConfig({}, { SVC_AUTH_IDLE_MINUTES }).auth.idleMinutes;
    assert.deepEqual([read(), read("2"), read("30")], [undefined, 2, 30]);
    assert.equal(resolveConfig({ auth: { idleMinutes: 30 } }, {}).auth.idleMinutes, 30);
    for (const minutes of ["0", "1", "1.5", "never"]) assert.throws(() => read(minutes), /from 2 to/);
  });

  it("derives the time for a connection from the timeout of a query", () => {
    const connectMs = (options: AppOptions, environment = {}) =>
      resolveConfig(options, environment).server.databaseConnectTimeoutMs;
    assert.equal(connectMs({}), 4_000);
    assert.equal(connectMs({}, { SVC_DATABASE_TIMEOUT_MS: "60000" }), 10_000);
    assert.equal(connectMs({ databaseTimeoutMs: 60_000, databaseConnectTimeoutMs: 30_000 }), 30_000);
  });

  it("reads flags in the spellings of the environment", () => {
    const read = (SVC_DOCS_SOURCES: string) =>
      resolveConfig({}, { SVC_DOCS_SOURCES }).options.get("docsSources");
    assert.deepEqual(["true", "1", "false", "0"].map(read), [true, true, false, false]);
    assert.throws(() => read("perhaps"), /SVC_DOCS_SOURCES: expected true or false, got "perhaps"/);
  });

  it("never shows a token, also one that it refuses", () => {
    for (const scrapeToken of ["short", "has a space in the middle of it"]) {
      assert.throws(
        () => resolveConfig({ metrics: { scrapeToken } }, {}),
        ({ message }: Error) => /metrics\.scrapeToken/.test(message) && !message.includes(scrapeToken),
      );
    }
  });

  it("refuses a pattern of paths that no path can match", () => {
    assert.throws(() => resolveConfig({ visitors: { include: ["blog/*"] } }, {}), /visitors\.include/);
    const { options } = resolveConfig({ visitors: { exclude: ["/blog/*"] } }, {});
    assert.deepEqual(options.get("visitors.exclude"), ["/blog/*"]);
  });

  it("prefers the environment to defaults, and code to the environment", () => {
    const environment = {
      SVC_HOST: "0.0.0.0",
      SVC_PORT: "9000",
      SVC_DATA_DIR: "/data",
      SVC_DATABASE_URL: "postgres://db/app",
      SVC_LOG_LEVEL: "warn",
      SVC_LOG_FILE: "/var/log/app.log",
      SVC_LOG_FORMAT: "pretty",
      SVC_LOG_RETENTION_HOURS: "24",
      SVC_LOG_MAX_MB: "5",
      SVC_TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8",
      SVC_SHUTDOWN_GRACE_MS: "1",
      SVC_SHUTDOWN_DRAIN_MS: "2",
      SVC_TOKEN_HOURS: "1",
      SVC_AUTH_ALLOWED_ADDRESSES: "203.0.113.7, 2001:db8::/32",
    };
    const { server, shutdown, auth, options } = resolveConfig({ port: 9001 }, environment);
    const { host, port, dataDir, database, trustedProxies: trust } = server;
    const read = (...names: string[]) => names.map((name) => options.get(name));
    assert.deepEqual([host, port, dataDir, database], ["0.0.0.0", 9001, "/data", "postgres://db/app"]);
    assert.deepEqual(read("logLevel", "log.destination", "log.format"), [
      "warn",
      "/var/log/app.log",
      "pretty",
    ]);
    assert.deepEqual(read("log.retentionHours", "log.maxMegabytes"), [24, 5]);
    assert.ok(trust!.isTrusted("10.1.2.3") && trust!.isTrusted("127.0.0.1") && !trust!.isTrusted("11.0.0.1"));
    assert.deepEqual([{ ...shutdown }, auth.tokenHours], [{ graceMs: 1, drainMs: 2 }, 1]);
    const addresses = ["203.0.113.7", "2001:db8::1", "203.0.113.8", "127.0.0.1", "::1", ""];
    assert.deepEqual(addresses.map(auth.allowedAddresses!), [true, true, false, false, false, false]);
  });

  const entryOf = (options: AppOptions, environment: Record<string, string>, name: string) =>
    resolveConfig(options, environment).options.entries.find((entry) => entry.name === name)!;

  it("knows where every value comes from", () => {
    const environment = {
      SVC_PORT: "9000",
      SVC_LOG_RETENTION_HOURS: "24",
      SVC_TRUSTED_PROXIES: "::1, 10.0.0.0/8",
    };
    const reported = resolveConfig({ port: 9001, log: { redact: ["iban"] } }, environment).options.entries;
    const show = (name: string) => {
      const { value, source, variable, default: fallback } = reported.find((entry) => entry.name === name)!;
      return [value, source, variable, fallback];
    };
    assert.deepEqual(show("port"), [9001, "code", "SVC_PORT", 8090]);
    assert.deepEqual(show("log.retentionHours"), [24, "environment", "SVC_LOG_RETENTION_HOURS", 168]);
    assert.deepEqual(show("host"), ["127.0.0.1", "default", "SVC_HOST", "127.0.0.1"]);
    assert.deepEqual(show("log.redact"), [["iban"], "code", undefined, []]);
    assert.deepEqual(show("trustedProxies"), [
      ["::1", "10.0.0.0/8"],
      "environment",
      "SVC_TRUSTED_PROXIES",
      null,
    ]);
    assert.deepEqual(entryOf({ auth: { allowedAddresses: ["::1"] } }, {}, "auth.allowedAddresses").value, [
      "::1",
    ]);
    assert.deepEqual(show("limits.bodyBytes"), [1_048_576, "default", undefined, 1_048_576]);
    assert.equal(new Set(reported.map(({ name }) => name)).size, reported.length);
  });

  for (const address of [
    "postgres://me:hunter2@db:5433/app",
    "postgres://me:hun%40ter2/x@db:5433/app?password=hunter2&sslmode=require",
    "postgresql://db/app?user=me&password=hunter2",
    "postgres://me:hunter2@[broken",
  ]) {
    it(`shows no password of ${address}`, () => {
      const { value } = entryOf({ database: address }, {}, "database");
      assert.match(String(value), /^postgres(ql)?:\/\//);
      assert.doesNotMatch(String(value), /hunter2|ter2|me/);
    });
  }

  it("describes values that are not data in words, and redacts tokens", () => {
    const destination = new PassThrough();
    assert.equal(entryOf({ log: { destination } }, {}, "log.destination").value, "a stream");
    const versions = new APIVersionManager();
    assert.equal(entryOf({ versions }, {}, "versions").value, "an object (APIVersionManager)");
    assert.equal(
      entryOf({}, { SVC_METRICS_TOKEN: "x".repeat(20) }, "metrics.scrapeToken").value,
      "[redacted]",
    );
    assert.equal(entryOf({}, {}, "metrics.scrapeToken").value, null);
    assert.doesNotThrow(() =>
      JSON.stringify(resolveConfig({ versions, log: { destination } }, {}).options.entries),
    );
  });

  it("takes the port from PORT if SVC_PORT is not set, and then listens on all addresses", () => {
    const addressOf = (environment: Record<string, string>, options: AppOptions = {}) => {
      const { host, port } = resolveConfig(options, environment).server;
      return `${host}:${port}`;
    };
    assert.equal(addressOf({ PORT: "3000" }), "0.0.0.0:3000");
    assert.equal(addressOf({ PORT: "3000", SVC_HOST: "10.0.0.1" }), "10.0.0.1:3000");
    assert.equal(addressOf({ PORT: "3000" }, { host: "::1" }), "::1:3000");
    assert.equal(addressOf({ PORT: "3000", SVC_PORT: "9000" }), "127.0.0.1:9000");
    assert.equal(addressOf({ PORT: "3000" }, { port: 9001 }), "127.0.0.1:9001");
    assert.equal(addressOf({ PORT: "" }), "127.0.0.1:8090");
    assert.equal(entryOf({}, { PORT: "3000" }, "port").variable, "PORT");
    assert.throws(() => resolveConfig({}, { PORT: "http" }), /environment variable PORT: .*, got "http"/);
  });

  it("takes an empty variable for an absent one", () => {
    assert.equal(resolveConfig({}, { SVC_PORT: "" }).server.port, 8090);
  });

  const wrong: [options: unknown, environment: Record<string, string>, message: RegExp][] = [
    [
      { port: 70_000 },
      {},
      /^Invalid value for option "port": expected an integer from 0 to 65535, got 70000\.$/,
    ],
    [{ port: "80a" }, {}, /"port": .*, got "80a"/],
    [{ port: 1.5 }, {}, /"port": .*, got 1\.5/],
    [
      {},
      { SVC_PORT: "eighty" },
      /^Invalid value for environment variable SVC_PORT: expected an integer .*, got "eighty"\.$/,
    ],
    [{ host: "" }, {}, /"host": expected an address .*, got ""/],
    [{ host: 7 }, {}, /"host": .*, got 7/],
    [{ dataDir: "  " }, {}, /"dataDir": expected the path of a folder, got " {2}"/],
    [
      { database: "mysql://me:hunter2@db/app" },
      {},
      /^(?!.*hunter2).*"database": expected a URL that begins with postgres.*, got "mysql:/,
    ],
    [
      { database: "mysql://me:x/hunter2@db/app" },
      {},
      /^(?!.*hunter2).*"database": expected a URL that begins with postgres.*, got "mysql:/,
    ],
    [
      { database: "mysql://me:x@hunter2@db/app" },
      {},
      /^(?!.*hunter2).*"database": expected a URL that begins with postgres.*, got "mysql:/,
    ],
    [
      { database: "mysql://db/app?user=me&password=hunter2" },
      {},
      /^(?!.*hunter2).*"database": expected a URL that begins with postgres.*, got "mysql:/,
    ],
    [{ dev: "yes" }, {}, /"dev": expected true or false, got "yes"/],
    [
      { logLevel: "loud" },
      {},
      /"logLevel": expected one of debug, info, warn, error, or -4, 0, 4, 8, got "loud"/,
    ],
    [{ logLevel: 2 }, {}, /"logLevel": expected one of debug, info, warn, error, or -4, 0, 4, 8, got 2/],
    [{ log: { format: "xml" } }, {}, /"log.format": expected one of json, pretty, got "xml"/],
    [{ log: { destination: 5 } }, {}, /"log.destination": .*, got 5/],
    [{ log: { redact: "iban" } }, {}, /"log.redact": expected a list of names, got "iban"/],
    [{ log: { retentionHours: 0 } }, {}, /"log.retentionHours": expected a number greater than 0, got 0/],
    [{ log: [], prot: 1 }, {}, /^Unknown option "prot"\. Valid options are dev, port, host/],
    [{ log: { level: "debug" } }, {}, /Unknown option "log.level"\. Valid options are log\.destination/],
    [{ log: "stdout" }, {}, /option "log": expected an object, got "stdout"/],
    [{ limits: { bodyBytes: -1 } }, {}, /"limits.bodyBytes": .*, got -1/],
    [{ limits: { body: 1 } }, {}, /Unknown option "limits.body"/],
    [{ shutdown: { graceMs: Number.NaN } }, {}, /"shutdown.graceMs": .*, got NaN/],
    [
      { trustedProxies: ["10.0.0.0/40"] },
      {},
      /"trustedProxies": .*"10\.0\.0\.0\/40" is neither an address nor a network.*, got \["10\.0\.0\.0\/40"\]/,
    ],
    [{ trustedProxies: [5] }, {}, /"trustedProxies": expected a list of addresses .*, got \[5\]/],
    [{ auth: { allowedAddresses: [] } }, {}, /"auth\.allowedAddresses": .*at least one address.*, got \[\]/],
    [
      { auth: { allowedAddresses: "localhost" } },
      {},
      /"auth\.allowedAddresses": .*"localhost" is neither an address nor a network.*, got "localhost"/,
    ],
    [
      {},
      { SVC_AUTH_ALLOWED_ADDRESSES: "203.0.113.7,10.0.0.0/33" },
      /SVC_AUTH_ALLOWED_ADDRESSES: .*"10\.0\.0\.0\/33" is neither an address nor a network.*, got "203/,
    ],
    [{ migrations: { "001": {} } }, {}, /"migrations": .*each with an up function/],
    ["port=1", {}, /^createApp expects an options object, got "port=1"\.$/],
  ];
  for (const [options, environment, message] of wrong) {
    it(`refuses ${JSON.stringify(options)} ${JSON.stringify(environment)}`, () => {
      assert.throws(() => resolveConfig(options as AppOptions, environment), {
        code: "INVALID_OPTION",
        exitCode: 78,
        message,
      });
    });
  }
});
