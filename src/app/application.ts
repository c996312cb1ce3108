import { type Auth, createAuth } from "../auth/index.ts";
import { type Cron, createCron, type EndedRun } from "../cron/index.ts";
import {
  type APIVersionManager,
  attachDocs,
  createCheckup,
  createSourceAnalyzer,
  Docs,
} from "../docs/index.ts";
import {
  guardProcess,
  type InjectRequest,
  type InjectResponse,
  Listener,
  onCrash,
  RouteError,
} from "../http/index.ts";
import { systemClock } from "../lib/clock.ts";
import {
  attachLogging,
  createLogging,
  createLogStore,
  type Logger,
  type Logging,
  type LogStore,
  setupLogging,
} from "../logging/index.ts";
import { createSampler, describeSystem, historyService, Metrics } from "../metrics/index.ts";
import {
  type Background,
  createBackground,
  type Database,
  type DataDirLock,
  lockDataDir,
} from "../storage/index.ts";
import { createVisitors, type Visitors, visitorsService } from "../visitors/index.ts";
import type { App, ServeEvent, Started, TerminateEvent } from "./app.ts";
import { type Config, resolveConfig } from "./config.ts";
import { currentErrand, type Errand } from "./errand.ts";
import { features } from "./features.ts";
import { type HookOptions, Hooks } from "./hooks.ts";
import type { AppOptions } from "./options.ts";
import { stopOnSignals } from "./signals.ts";
import { backgroundDatabaseOptions, logDatabaseOptions, openLogDatabase, openStore } from "./store.ts";
import { annexVersion } from "./version.ts";

/** Makes an application. It does nothing yet: `start` opens the database and the port. */
export function createApp(options?: AppOptions): App {
  guardProcess();
  return new Application(resolveConfig(options));
}

/** Puts the features together and leads them through one life: made, ready, listening, stopped. */
class Application implements App {
  readonly jobs: Cron["jobs"];
  readonly logger: Logger;
  readonly logs: App["logs"];
  readonly superusers: Auth["superusers"];
  private readonly config: Config;
  private readonly listener: Listener;
  private readonly logging: Logging;
  private readonly auth: Auth;
  private readonly background: Background;
  private readonly metrics: Metrics;
  private readonly visitors: Visitors;
  private readonly cron: Cron;
  private readonly docs: Docs;
  private readonly versions: APIVersionManager | undefined;
  private readonly serveHooks = new Hooks<Omit<ServeEvent, "next">>();
  private readonly terminateHooks = new Hooks<Omit<TerminateEvent, "next">>();
  private readonly cleanups: (() => void)[] = [];
  private readonly madeAt = performance.now();
  private opened: Promise<Database> | undefined;
  private lock: DataDirLock | undefined;
  private logStore: LogStore | undefined;
  private logDatabase: Database | undefined;
  private readying: Promise<void> | undefined;
  private starting: Promise<Started> | undefined;
  private stopping: Promise<void> | undefined;
  private releasing: Promise<void> | undefined;

  constructor(config: Config) {
    this.config = config;
    this.logging = createLogging(config.log);
    this.logger = this.logging.logger;
    this.listener = new Listener({ app: this, limits: config.limits, trust: config.trust });
    attachLogging(this, this.logging, this.listener.observer);
    setupLogging(this);
    this.auth = createAuth({
      database: () => this.database(),
      clock: systemClock,
      tokenTtlMs: config.tokenTtlMs,
      sessionTtlMs: config.tokenTtlMs,
    });
    this.superusers = this.auth.superusers;
    const { instance, metrics } = config;
    const description = describeSystem({ annexVersion });
    this.background = createBackground({
      database: backgroundDatabaseOptions(config),
      services: {
        metrics: historyService({ instance, description, maxBytes: metrics.maxBytes }),
        visitors: visitorsService,
      },
      onProblem: (reason) => this.tellKeeping(reason),
    });
    this.metrics = this.createMetrics(description);
    this.metrics.observe(this.listener.observer);
    this.visitors = createVisitors({
      background: this.background,
      clock: systemClock,
      options: config.visitors,
    });
    this.visitors.observe(this.listener.observer);
    this.cron = createCron({
      database: () => this.ownDatabase(),
      clock: systemClock,
      logger: this.logger,
      systemJobs: [...this.metrics.jobs, ...this.visitors.jobs],
      onEnded: (run) => this.countRun(run),
      ...config.cron,
    });
    this.jobs = this.cron.jobs;
    this.docs = new Docs({ showsSources: config.docsSources });
    attachDocs(this, this.docs);
    this.versions = config.versions;
    this.versions?.registerWithServer(this);
    this.logs = { search: (query = {}) => this.searchLogs(query) };
  }

  private createMetrics(description: ReturnType<typeof describeSystem>): Metrics {
    const { listener, background } = this;
    const { dataDir, instance, metrics } = this.config;
    return new Metrics({
      background,
      clock: systemClock,
      instance,
      description,
      scrapeToken: metrics.scrapeToken,
      createSampler: () => createSampler({ dataDir }),
      connections: () => listener.connections,
      inFlight: () => listener.observer.inFlight,
      isDraining: () => listener.observer.draining,
      isStoreWriting: () => (this.logStore?.status().isWriting ?? true) && background.problem === undefined,
      uptimeMs: () => performance.now() - this.madeAt,
      pingStore: async () => (await this.database()).ping(),
      dropped: () => ({
        log_records: this.logStore?.status().dropped ?? 0,
        page_views: this.visitors.status().dropped,
      }),
    });
  }

  /** What cannot be kept now is tried again, so this is said once and not with every try. */
  private tellKeeping(reason: string | undefined): void {
    if (reason === undefined) this.logger.info("Figures are being kept again");
    else this.logger.warn("Figures cannot be kept at the moment", { reason });
  }

  private countRun({ jobId, traceId, status, error }: EndedRun): void {
    this.metrics.countRun(jobId, status);
    if (error !== undefined) this.metrics.fail({ error, traceId, origin: `job ${jobId}` });
  }

  onServe(hook: (e: ServeEvent) => unknown, options?: HookOptions): void {
    if (this.readying)
      throw new RouteError("Routes are registered before the server is ready; add the hook earlier.");
    this.serveHooks.add(hook, options);
  }

  onTerminate(hook: (e: TerminateEvent) => unknown, options?: HookOptions): void {
    this.terminateHooks.add(hook, options);
  }

  authenticate(resolve: Parameters<Auth["resolveWith"]>[0]): void {
    this.auth.resolveWith(resolve);
  }

  database(): Promise<Database> {
    this.opened ??= openStore(this.config);
    return this.opened;
  }

  start(): Promise<Started> {
    const errand = currentErrand();
    this.starting ??= errand === undefined ? this.listen() : this.goOnErrand(errand);
    return this.starting;
  }

  stop({ isRestart = false }: { isRestart?: boolean } = {}): Promise<void> {
    this.stopping ??= this.shutDown(isRestart);
    return this.stopping;
  }

  async inject(request: InjectRequest): Promise<InjectResponse> {
    await this.ready();
    return this.listener.inject(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Everything short of listening. */
  private ready(): Promise<void> {
    if (this.stopping && !this.readying) {
      return Promise.reject(new Error("The application has been stopped; make another one with createApp."));
    }
    this.readying ??= this.prepare().catch(async (error) => {
      await this.release();
      throw error;
    });
    return this.readying;
  }

  private async prepare(): Promise<void> {
    const { listener } = this;
    await this.keepLogs(await this.ownDatabase());
    await this.cron.open();
    listener.identifyWith(this.auth.identify);
    this.mountFeatures();
    const router = listener.routes.router("the application");
    this.versions?.registerAllVersionRoutes({ router });
    await this.serveHooks.run({ app: this, router });
    if (this.config.dev)
      this.docs.learnWith(() => createSourceAnalyzer({ watches: this.starting !== undefined }));
    else this.docs.readSpecs(this.config.specsDir, (message) => this.logger.warn(message));
    await listener.ready();
  }

  /** The database, of which no other process on this machine may think that it is alone with it. */
  private ownDatabase(): Promise<Database> {
    const { database, dataDir } = this.config;
    if (database === undefined) this.lock ??= lockDataDir(dataDir);
    return this.database();
  }

  private async keepLogs(shared: Database): Promise<void> {
    const { log } = this.config;
    if (!log.store) return;
    const connection = await openLogDatabase(this.config, shared);
    this.logDatabase = connection === shared ? undefined : connection;
    this.logStore = createLogStore({
      connection: async () => connection,
      database: logDatabaseOptions(this.config),
      retention: log.retention,
    });
    this.logging.keepIn(this.logStore);
  }

  private mountFeatures(): void {
    const { routes } = this.listener;
    for (const { reserves = [], mount } of features) {
      for (const prefix of reserves) routes.reserve(prefix, "Annex");
      mount?.(routes.router("Annex"), {
        auth: this.auth,
        metrics: this.metrics,
        visitors: this.visitors,
        searchLogs: this.logs.search,
        cron: this.cron,
        docs: this.docs,
      });
    }
  }

  private async listen(): Promise<Started> {
    const { host, port: asked, signals } = this.config;
    await this.ready();
    try {
      const { port } = await this.listener.listen(host, asked);
      const url = `http://${displayHost(host)}:${port}`;
      this.cleanups.push(
        onCrash((error) => this.logging.lastWords(error)),
        onExit(() => this.logging.flushSync()),
      );
      if (signals) this.cleanups.push(stopOnSignals(this));
      await this.cron.start();
      this.metrics.start();
      this.logging.recordStart(`Annex is listening at ${url}`);
      void this.docs.learn().then(() => this.tellOpenPoints());
      const setupUrl = await this.auth.createSetupLink(url);
      if (setupUrl !== undefined) announceSetup(setupUrl);
      return { url, port, ...(setupUrl !== undefined && { setupUrl }) };
    } catch (error) {
      await this.listener.close(0);
      await this.release();
      throw error;
    }
  }

  /** What the analysis of the source could not resolve is said once, where a developer looks. */
  private tellOpenPoints(): void {
    const { diagnostics = [] } = this.docs.press.analysis ?? {};
    const [first] = diagnostics;
    if (!first || this.stopping) return;
    const place = first.file ? `${first.file}:${first.line}: ` : "";
    const more =
      diagnostics.length > 1 ? ` (and ${diagnostics.length - 1} more; annex doctor lists them)` : "";
    this.logger.warn(`API documentation: ${place}${first.message}${more}`);
  }

  /** Instead of a start, and the end of the process: see `errand.ts`. The routes are registered and never served. */
  private async goOnErrand(errand: Errand): Promise<Started> {
    const { routes } = this.listener;
    for (const { reserves = [] } of features) for (const prefix of reserves) routes.reserve(prefix, "Annex");
    const router = routes.router("the application");
    this.versions?.registerAllVersionRoutes({ router });
    // Hooks may bind middleware that the documents tell of. One that needs a database cannot have it here.
    await this.serveHooks.run({ app: this, router }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(
        `annex: A serve hook failed, so its routes and middleware are not in the documents: ${reason}\n`,
      );
    });
    this.docs.learnWith(() => createSourceAnalyzer({ watches: false }));
    const code = await this.run(errand);
    await this.release();
    process.exit(code);
  }

  private async run(errand: Errand): Promise<number> {
    if (errand.kind === "specs") {
      await this.docs.writeSpecs(errand.folder);
      return 0;
    }
    this.docs.registerRoutes();
    await this.docs.learn();
    const { lines, openPoints } = createCheckup(this.docs);
    process.stdout.write(`${lines.join("\n")}\n`);
    return openPoints === 0 ? 0 : exitOpenPoints;
  }

  private async shutDown(isRestart: boolean): Promise<void> {
    // With the port closed nothing else may hold the process, and it would be gone before everything is put away.
    const awake = setInterval(() => {}, 60_000);
    try {
      await this.putAway(isRestart);
    } finally {
      clearInterval(awake);
    }
  }

  private async putAway(isRestart: boolean): Promise<void> {
    // A start under way is let through, so that there is one state to undo.
    await Promise.allSettled([this.starting, this.readying]);
    this.listener.drain();
    this.metrics.feed.close();
    const { drainMs, graceMs } = this.config.shutdown;
    if (drainMs > 0 && this.starting && !isRestart) await delay(drainMs);
    await Promise.all([this.listener.close(graceMs), this.cron.stop(graceMs)]);
    try {
      await this.terminateHooks.run({ app: this, isRestart });
    } catch (error) {
      this.logger.error("A terminate hook failed", { error });
    }
    if (this.starting) this.logging.recordStop(isRestart);
    await this.release();
  }

  /** Writes out and closes whatever has been opened, once. */
  private release(): Promise<void> {
    this.releasing ??= this.closeAll();
    return this.releasing;
  }

  private async closeAll(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0)) cleanup();
    await Promise.all([this.cron.stop(0), this.docs.close()]);
    this.metrics.stop();
    this.visitors.close();
    await this.background.close();
    await this.logging.close();
    await this.logDatabase?.close();
    const database = await this.opened?.catch(() => undefined);
    await database?.close();
    this.lock?.release();
  }

  private async searchLogs(query: Parameters<App["logs"]["search"]>[0] & object) {
    await this.ready();
    await this.logging.flush();
    return this.logStore?.search(query) ?? { items: [] };
  }
}

/** Tells a checkup that found something from one that failed. */
const exitOpenPoints = 2;

function displayHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

/** To a person, past the log: the link is a secret for a while, and the log is kept and read by others. */
function announceSetup(setupUrl: string): void {
  const output = process.stdout.isTTY ? process.stdout : process.stderr;
  output.write(
    `\n  There is no superuser yet. Create the first one here; the link works once:\n  ${setupUrl}\n\n`,
  );
}

function onExit(listener: () => void): () => void {
  process.once("exit", listener);
  return () => process.off("exit", listener);
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
