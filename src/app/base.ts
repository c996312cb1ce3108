import { type Auth, createAuth } from "../auth/index.ts";
import {
  createEvents,
  type DroppedData,
  type Events,
  type Feature,
  type Registry,
  type Reports,
  type SharedContext,
} from "../feature/index.ts";
import { Listener, type StreamNumbers, type UntrustedForwarding, usesTls } from "../http/index.ts";
import { createRedactor } from "../lib/redaction/redactor.ts";
import { systemClock } from "../lib/time/clock.ts";
import { fileOf, historyFile, listContents } from "../storage/index.ts";
import type { App } from "./app.ts";
import { LazyBackground } from "./background.ts";
import { type Config, environmentValues } from "./config/config.ts";
import { Databases } from "./databases.ts";
import { createLateLogger, type LateLogger } from "./late-logger.ts";
import { annexVersion } from "./version.ts";
import { currentWorkerMode } from "./worker/worker.ts";

/** What every application has, with or without features. Created and connected, but not running. */
export interface Base {
  readonly databases: Databases;
  readonly listener: Listener;
  readonly logger: LateLogger;
  readonly auth: Auth;
  readonly background: LazyBackground;
  readonly events: Events;
  /** What features are created with. */
  readonly context: SharedContext;
}

export interface BaseOptions {
  readonly config: Config;
  readonly app: App;
  readonly features: readonly Feature[];
  authenticateFunction: SharedContext["authenticateFunction"];
}

export function createBase({ config, app, features, authenticateFunction }: BaseOptions): Base {
  const { server, limits, tls, options } = config;
  const logger = createLateLogger();
  const databases = new Databases(server, features, (message, data) => logger.warn(message, data));
  const names = (option: string) => options.get(option) as readonly string[] | undefined;
  const redactor = createRedactor(names("log.redact"), names("log.errorFields"));
  const listener = new Listener({
    app,
    limits,
    trust: server.trustedProxies,
    isSecure: usesTls(tls),
    debugRedactor: server.dev ? redactor : undefined,
    basePath: server.basePath,
  });
  const { observer } = listener;
  observer.onUntrustedForwarding((forwarding) => warnOfProxy(logger, forwarding));
  const events = createEvents(observer);
  const auth = createAuthentication(config, { databases, events, logger });
  const background = new LazyBackground({
    contents: listContents(databases.stores.filter((store) => fileOf(store) === historyFile)),
    database: { ...databases.fileOptions(historyFile), poolSize: Math.min(2, server.databasePoolSize) },
    onProblem: (reason) => reportStorage(logger, reason),
    onSetAside: (path) => databases.reportSetAside(path),
    onUpgrade: (step) => databases.reportUpgrade(historyFile, step),
  });
  const reports = createReports();
  reports.storageIssues.add(() => databases.findFault());
  reports.dropped.add(...droppedStreams(listener.openStreams));
  const context: SharedContext = {
    allOptions: options,
    events,
    reports,
    clock: systemClock,
    logger,
    useLogOutput: logger.use,
    redactor,
    auth,
    authenticateFunction,
    environmentValues,
    allowsColors: config.allowsColors,
    server: {
      isDraining: () => observer.draining,
      requestsInFlight: () => observer.inFlight,
      onBusy(listener) {
        observer.onBusy = listener;
      },
      connections: () => listener.connections,
      streams: listener.openStreams,
      longRequests: () => listener.longRequests(),
      openRequests: () => listener.openRequests(),
      longRequestMs: limits.longRequestMs,
      isWorker: currentWorkerMode() !== undefined,
      listMiddleware: () => listener.routes.listMiddleware(),
    },
    storage: databases,
    background,
    instance: server.instance,
    release: server.release,
    version: annexVersion,
    dev: server.dev,
    app,
  };
  return { databases, listener, logger, auth, background, events, context };
}

function createAuthentication(
  { auth, server }: Config,
  { databases, events, logger }: Pick<Base, "databases" | "events" | "logger">,
): Auth {
  const ttlMs = auth.tokenHours * 3_600_000;
  return createAuth({
    database: databases.database,
    clock: systemClock,
    tokenTtlMs: ttlMs,
    sessionTtlMs: ttlMs,
    isAllowedAddress: auth.allowedAddresses,
    onWeakPassword: server.dev ? (weak) => logger.warn("Accepted a weak password", { ...weak }) : undefined,
    idleMs: auth.idleMinutes === undefined ? undefined : auth.idleMinutes * 60_000,
    landing: "/_/_",
    onChange: (change) => events.emit("account.changed", change),
    onAccess: (event) => events.emit("access.recorded", event),
  });
}

function createReports(): Reports {
  return {
    jobs: createRegistry(),
    storageIssues: createRegistry(),
    fleetIssues: createRegistry(),
    healthIssues: createRegistry(),
    pastIssues: createRegistry(),
    initialData: createRegistry(),
    counters: createRegistry(),
    dropped: createRegistry(),
    storeStates: createRegistry(),
    activeRuns: createRegistry(),
    fenced: createRegistry(),
    ownOptions: createRegistry(),
  };
}

function createRegistry<T>(): Registry<T> {
  const items: T[] = [];
  return { add: (...added) => void items.push(...added), list: () => items };
}

function droppedStreams({ slow, refused }: StreamNumbers): DroppedData[] {
  const tooMany = "Too many were open: see limits.openStreamsPerAddress and limits.openStreams.";
  return [
    {
      name: "slow_event_streams",
      title: "Slow clients of event streams",
      about:
        "They were disconnected, because they were more than limits.unreadBytes behind. Browsers reconnect automatically.",
      count: () => slow.eventStreams,
    },
    {
      name: "slow_websockets",
      title: "Slow clients of WebSockets",
      about: "Their WebSockets were closed with 1013, because they were more than limits.unreadBytes behind.",
      count: () => slow.webSockets,
    },
    {
      name: "refused_event_streams",
      title: "Refused event streams",
      about: tooMany,
      count: () => refused.eventStreams,
    },
    {
      name: "refused_websockets",
      title: "Refused WebSockets",
      about: tooMany,
      count: () => refused.webSockets,
    },
  ];
}

/** Writes are retried, so a failure is logged once and not on every attempt. */
function reportStorage(logger: LateLogger, reason: string | undefined): void {
  if (reason === undefined) logger.info("Metrics storage recovered");
  else logger.warn("Failed to store metrics", { reason });
}

/** All clients behind an untrusted proxy share its address, and therefore its rate limits. */
function warnOfProxy(logger: LateLogger, { peer, header }: UntrustedForwarding): void {
  const advice = `if ${peer} is your proxy, add it to the option "trustedProxies" (SVC_TRUSTED_PROXIES)`;
  logger.warn(`Ignored ${header} from ${peer}, which is not a trusted proxy: ${advice}`, { peer, header });
}
