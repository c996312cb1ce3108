import { type Access, createAccess } from "../access/index.ts";
import { type AccountChange, type Auth, createAuth } from "../auth/index.ts";
import { type Cron, type CronChange, createCron, type EndedRun } from "../cron/index.ts";
import { attachDocs, Docs } from "../docs/index.ts";
import { Listener, type UntrustedForwarding } from "../http/index.ts";
import { systemClock } from "../lib/clock.ts";
import { attachLogging, createLogging, type Logger, type Logging, setupLogging } from "../logging/index.ts";
import { createSampler, describeSystem, historyService, Metrics } from "../metrics/index.ts";
import {
  type Changes,
  createChanges,
  createSettings,
  type NewChange,
  type Settings,
} from "../settings/index.ts";
import { type Background, createBackground } from "../storage/index.ts";
import { createVisitors, type Visitors, visitorsService } from "../visitors/index.ts";
import type { App } from "./app.ts";
import type { Config } from "./config.ts";
import { Databases } from "./databases.ts";
import { createRuntimeSettings } from "./runtime-settings.ts";
import { backgroundDatabaseOptions } from "./store.ts";
import { findStoreProblems } from "./store-problems.ts";
import { annexVersion } from "./version.ts";

/** The parts of an application, created and connected but not running. */
export interface ApplicationParts {
  readonly databases: Databases;
  readonly listener: Listener;
  readonly logging: Logging;
  readonly changes: Changes;
  readonly access: Access;
  readonly auth: Auth;
  readonly background: Background;
  readonly metrics: Metrics;
  readonly visitors: Visitors;
  readonly cron: Cron;
  readonly docs: Docs;
  readonly settings: Settings;
}

export function createParts(config: Config, app: App): ApplicationParts {
  const logging = createLogging(config.log);
  const { logger } = logging;
  const databases = new Databases(config, (message, data) => logger.warn(message, data));
  const listener = new Listener({ app, limits: config.limits, trust: config.trust });
  attachLogging(app, logging, listener.observer);
  setupLogging(app);
  listener.observer.onUntrustedForwarding((forwarding) => warnOfProxy(logger, forwarding));
  const { instance } = config;
  const { redactor } = config.log;
  const changes = createChanges({
    database: () => databases.open(),
    clock: systemClock,
    instance,
    logger,
    redactor,
  });
  const access = createAccess({
    database: () => databases.open(),
    clock: systemClock,
    instance,
    log: logging.line,
    retentionDays: config.access.retentionDays,
  });
  access.observe(listener.observer);
  const auth = createAuth({
    database: () => databases.open(),
    clock: systemClock,
    tokenTtlMs: config.tokenTtlMs,
    sessionTtlMs: config.tokenTtlMs,
    isAllowedAddress: config.isAllowedAddress,
    onWeakPassword: config.dev ? (weak) => logger.warn("Accepted a weak password", { ...weak }) : undefined,
    idleMs: config.idleMs,
    landing: "/_/_",
    onChange: (change) => changes.record(toAccountRecord(change)),
    onAccess: access.record,
  });
  const figures = createFigures({ config, databases, listener, logger, access });
  const { background, metrics, visitors } = figures;
  const cron = createCron({
    database: () => databases.own(),
    clock: systemClock,
    logger,
    redactor,
    systemJobs: [...metrics.jobs, ...visitors.jobs, ...access.jobs],
    onEnded: (run) => countRun(metrics, run),
    onChange: (change) => changes.record(toCronRecord(change)),
    ...config.cron,
  });
  const docs = new Docs({ publishesSources: config.docsSources, publishesImplicit: config.dev });
  attachDocs(app, docs);
  const settings = createSettings({
    database: () => databases.open(),
    clock: systemClock,
    logger,
    changes,
    settings: createRuntimeSettings({ config, logger, databases, cron, access, ...figures }),
    entries: config.entries,
    elsewhere: {
      "cron.timezone": {
        chosen: () => cron.chosenTimezone(),
        remedy: "use POST /api/cron/config/timezone",
      },
    },
    countSessions: () => auth.countSessions(),
  });
  return {
    databases,
    listener,
    logging,
    changes,
    access,
    auth,
    background,
    metrics,
    visitors,
    cron,
    docs,
    settings,
  };
}

interface FiguresParts {
  readonly config: Config;
  readonly databases: Databases;
  readonly listener: Listener;
  readonly logger: Logger;
  readonly access: Access;
}

/** Creates the metrics, the visitor statistics and the background thread that stores them. */
function createFigures({ config, databases, listener, logger, access }: FiguresParts) {
  const madeAt = performance.now();
  const { dataDir, instance } = config;
  const { maxBytes, scrapeToken } = config.metrics;
  const description = describeSystem({ annexVersion });
  const history = historyService({ instance, description, maxBytes });
  const background = createBackground({
    database: backgroundDatabaseOptions(config),
    services: { metrics: history, visitors: visitorsService },
    onProblem: (reason) => tellKeeping(logger, reason),
    onSetAside: (path) => databases.noteSetAside(path),
  });
  const { redactor } = config.log;
  const visitors = createVisitors({
    background,
    clock: systemClock,
    options: config.visitors,
    redactor,
  });
  const metrics = new Metrics({
    background,
    clock: systemClock,
    instance,
    description,
    scrapeToken,
    redactor,
    createSampler: () => createSampler({ dataDir }),
    connections: () => listener.connections,
    inFlight: () => listener.observer.inFlight,
    longRequests: () => listener.longRequests(),
    longRequestMs: config.limits.longRequestMs,
    isDraining: () => listener.observer.draining,
    storeProblems: () =>
      findStoreProblems({
        database: databases.problem,
        logs: databases.logStore?.status().problem,
        metrics: background.problem,
        damage: databases.damage,
      }),
    uptimeMs: () => performance.now() - madeAt,
    probeStore: async () => (await databases.open()).probe(),
    counters: () => [toAccessCounter(access)],
    dropped: () => ({
      log_records: databases.logStore?.status().dropped ?? 0,
      page_views: visitors.status().dropped,
    }),
  });
  metrics.observe(listener.observer);
  visitors.observe(listener.observer);
  const limitHistory = (bytes: number) => {
    // For a thread that has not been started yet.
    history.data.maxBytes = bytes;
    metrics.limitHistory(bytes);
  };
  return { background, metrics, visitors, limitHistory };
}

/** Writes are retried, so a failure is logged once and not on every attempt. */
function tellKeeping(logger: Logger, reason: string | undefined): void {
  if (reason === undefined) logger.info("Metrics storage recovered");
  else logger.warn("Failed to store metrics", { reason });
}

/** All clients behind an untrusted proxy share its address, and therefore its rate limits. */
function warnOfProxy(logger: Logger, { peer, header }: UntrustedForwarding): void {
  const advice = `if ${peer} is your proxy, add it to the option "trustedProxies" (SVC_TRUSTED_PROXIES)`;
  logger.warn(`Ignored ${header} from ${peer}, which is not a trusted proxy: ${advice}`, { peer, header });
}

function toAccessCounter({ counts }: Access) {
  const help = "Sign-ins, failed sign-ins, refusals and account changes, by kind.";
  return { name: "access_events", help, label: "kind", values: counts };
}

function countRun(metrics: Metrics, { jobId, traceId, status, error }: EndedRun): void {
  metrics.countRun(jobId, status);
  if (error !== undefined) metrics.fail({ error, traceId, origin: `job ${jobId}` });
}

function toAccountRecord({ kind, email, actor }: AccountChange): NewChange {
  return { kind, subject: email, actor };
}

function toCronRecord({ runId, ...change }: CronChange): NewChange {
  return { ...change, detail: runId === undefined ? undefined : `run ${runId}` };
}
