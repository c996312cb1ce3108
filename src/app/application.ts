import type { Auth } from "../auth/index.ts";
import type { Cron } from "../cron/index.ts";
import { type APIVersionManager, createCheckup, createSourceAnalyzer, joinSome } from "../docs/index.ts";
import { guardProcess, type InjectRequest, type InjectResponse, onCrash, RouteError } from "../http/index.ts";
import { escapeControls } from "../lib/terminal-text.ts";
import { isError, readProperty, toText } from "../lib/thrown.ts";
import type { Logger } from "../logging/index.ts";
import { type Database, toStartError } from "../storage/index.ts";
import type { App, ServeEvent, Started, TerminateEvent } from "./app.ts";
import { type Config, environmentValues, resolveConfig } from "./config.ts";
import { type Assignment, currentErrand, type Errand } from "./errand.ts";
import { features } from "./features.ts";
import { type HookOptions, Hooks } from "./hooks.ts";
import type { AppOptions } from "./options.ts";
import { type ApplicationParts, createParts } from "./parts.ts";
import { refuseBundle } from "./refuse-bundle.ts";
import { stopOnSignals } from "./signals.ts";
import { annexVersion } from "./version.ts";

/**
 * Creates an application. `app.start()` opens the database and the port.
 *
 * ```ts
 * const app = createApp({ port: 3000 });
 * await app.start();
 * ```
 */
export function createApp(options?: AppOptions): App {
  refuseBundle();
  guardProcess();
  return new Application(resolveConfig(options));
}

/** Restarts in development do not wait for open streams. */
const restartGraceMs = 500;

/** Controls the lifecycle of its parts: created, ready, listening, stopped. */
class Application implements App {
  readonly jobs: Cron["jobs"];
  readonly logger: Logger;
  readonly logs: App["logs"];
  readonly superusers: Auth["superusers"];
  private readonly config: Config;
  private readonly parts: ApplicationParts;
  private readonly versions: APIVersionManager | undefined;
  private readonly serveHooks = new Hooks<Omit<ServeEvent, "next">>();
  private readonly terminateHooks = new Hooks<Omit<TerminateEvent, "next">>();
  private readonly cleanups: (() => void)[] = [];
  private readying: Promise<void> | undefined;
  private starting: Promise<Started> | undefined;
  private stopping: Promise<void> | undefined;
  private releasing: Promise<void> | undefined;
  /** The source analysis reads it to find out how requests are authenticated. */
  private authenticateFunction: Parameters<Auth["resolveWith"]>[0] | undefined;

  constructor(config: Config) {
    this.config = config;
    this.parts = createParts(config, this);
    this.jobs = this.parts.cron.jobs;
    this.logger = this.parts.logging.logger;
    this.superusers = this.parts.auth.superusers;
    this.logs = { search: (query = {}) => this.searchLogs(query) };
    this.versions = config.versions;
    this.versions?.registerWithServer(this);
  }

  onServe(hook: (e: ServeEvent) => unknown, options?: HookOptions): void {
    if (this.readying)
      throw new RouteError(
        "Cannot add a serve hook: the server is ready. Call app.onServe before app.start().",
      );
    this.serveHooks.add(hook, options);
  }

  onTerminate(hook: (e: TerminateEvent) => unknown, options?: HookOptions): void {
    this.terminateHooks.add(hook, options);
  }

  authenticate(resolve: Parameters<Auth["resolveWith"]>[0]): void {
    this.parts.auth.resolveWith(resolve);
    this.authenticateFunction = resolve;
  }

  database(): Promise<Database> {
    return this.parts.databases.open();
  }

  start(): Promise<Started> {
    const assignment = currentErrand();
    this.starting ??= assignment === undefined ? this.listen() : this.goOnErrand(assignment);
    return this.starting;
  }

  stop({ isRestart = false }: { isRestart?: boolean } = {}): Promise<void> {
    this.stopping ??= this.shutDown(isRestart);
    return this.stopping;
  }

  async inject(request: InjectRequest): Promise<InjectResponse> {
    await this.ready();
    return this.parts.listener.inject(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Prepares everything except the port. */
  private ready(): Promise<void> {
    if (this.stopping && !this.readying) {
      return Promise.reject(new Error("The application has been stopped. Create a new one with createApp."));
    }
    this.readying ??= this.prepare().catch(async (error) => {
      await this.release();
      throw toStartError(error);
    });
    return this.readying;
  }

  private async prepare(): Promise<void> {
    const { listener, databases, logging, settings, cron, auth, docs } = this.parts;
    await databases.own();
    await settings.open();
    const logStore = await databases.openLogs();
    if (logStore) logging.keepIn(logStore);
    await cron.open();
    listener.identifyWith(auth.identify);
    this.mountFeatures();
    const router = docs.implicit.document(listener.routes.router("the application"));
    this.versions?.registerAllVersionRoutes({ router });
    await this.serveHooks.run({ app: this, router });
    if (this.config.dev) docs.learnWith(() => this.createAnalyzer(this.starting !== undefined));
    else docs.readSpecs(this.config.specsDir, (message) => this.logger.warn(message));
    await listener.ready();
  }

  private createAnalyzer(watches: boolean) {
    const authenticate = this.authenticateFunction;
    return createSourceAnalyzer({ watches, environment: environmentValues(), authenticate });
  }

  private mountFeatures(): void {
    const { routes } = this.parts.listener;
    for (const { reserves = [], mount } of features) {
      for (const prefix of reserves) routes.reserve(prefix, "Annex");
      mount?.(routes.router("Annex"), { ...this.parts, searchLogs: this.logs.search });
    }
  }

  private async listen(): Promise<Started> {
    const { host, port: asked, signals } = this.config;
    const { listener, logging, changes, cron, metrics, docs, auth } = this.parts;
    await this.ready();
    try {
      const { port } = await listener.listen(host, asked);
      const url = `http://${displayHost(host)}:${port}`;
      this.cleanups.push(
        onCrash((error) => logging.lastWords(error)),
        onExit(() => logging.flushSync()),
      );
      if (signals) this.cleanups.push(stopOnSignals(this));
      await cron.start();
      metrics.start();
      logging.recordStart(`Server listening at ${url}`);
      changes.record({ kind: "start", subject: "application", after: annexVersion });
      // An application that did not ask for documentation has its source read when a document is requested.
      if (!docs.isImplicit) void docs.learn().then(() => this.tellOpenPoints());
      const setupUrl = await auth.createSetupLink(url);
      if (setupUrl !== undefined) announceSetup(setupUrl);
      return { url, port, ...(setupUrl !== undefined && { setupUrl }) };
    } catch (error) {
      await listener.close(0);
      await this.release();
      throw toStartError(error);
    }
  }

  /** Logs the first diagnostic of the source analysis, and the number of others. */
  private tellOpenPoints(): void {
    const { diagnostics = [] } = this.parts.docs.press.analysis ?? {};
    const [first] = diagnostics;
    if (!first || this.stopping) return;
    const place = first.file ? `${[first.file, first.line ?? []].flat().join(":")}: ` : "";
    const routes = first.routes?.length ? `${joinSome(first.routes)}: ` : "";
    const more =
      diagnostics.length > 1 ? ` (and ${diagnostics.length - 1} more; run annex doctor to list them)` : "";
    this.logger.warn(`API documentation: ${place}${routes}${first.message}${more}`);
  }

  /** Runs instead of a start and ends the process: see `errand.ts`. The routes are registered but not served. */
  private async goOnErrand({ errand, report }: Assignment): Promise<Started> {
    report("begun");
    const { docs, listener } = this.parts;
    const { routes } = listener;
    for (const { reserves = [] } of features) for (const prefix of reserves) routes.reserve(prefix, "Annex");
    const router = docs.implicit.document(routes.router("the application"));
    this.versions?.registerAllVersionRoutes({ router });
    // Hooks may bind middleware that affects the documents. A hook that needs a database fails here.
    await this.serveHooks.run({ app: this, router }).catch((error: unknown) => {
      const reason = escapeControls(toText(isError(error) ? readProperty(error, "message") : error));
      process.stderr.write(
        `annex: Failed to run a serve hook. Its routes and middleware are not documented: ${reason}\n`,
      );
    });
    docs.learnWith(() => this.createAnalyzer(false));
    const code = await this.run(errand);
    await this.release();
    report("done");
    process.exit(code);
  }

  private async run(errand: Errand): Promise<number> {
    const { docs } = this.parts;
    if (errand.kind === "specs") {
      await docs.writeSpecs(errand.folder);
      return 0;
    }
    docs.registerRoutes();
    await docs.learn();
    const { lines, openPoints } = createCheckup(docs);
    process.stdout.write(`${lines.map(escapeControls).join("\n")}\n`);
    return openPoints === 0 ? 0 : exitOpenPoints;
  }

  private async shutDown(isRestart: boolean): Promise<void> {
    // With the port closed, nothing else might keep the process running until the shutdown is complete.
    const awake = setInterval(() => {}, 60_000);
    try {
      await this.putAway(isRestart);
    } finally {
      clearInterval(awake);
    }
  }

  private async putAway(isRestart: boolean): Promise<void> {
    // A start in progress is completed first, so that there is only one state to undo.
    await Promise.allSettled([this.starting, this.readying]);
    const { listener, metrics, cron, logging, changes } = this.parts;
    listener.drain();
    metrics.feed.close();
    const { drainMs, graceMs } = this.config.shutdown;
    if (drainMs > 0 && this.starting && !isRestart) await delay(drainMs);
    const waitMs = isRestart ? Math.min(graceMs, restartGraceMs) : graceMs;
    await Promise.all([listener.close(waitMs), cron.stop(waitMs)]);
    try {
      await this.terminateHooks.run({ app: this, isRestart });
    } catch (error) {
      this.logger.error("Failed to run a terminate hook", { error });
    }
    if (this.starting) {
      logging.recordStop(isRestart);
      const detail = isRestart ? "restart" : undefined;
      changes.record({ kind: "stop", subject: "application", before: annexVersion, detail });
    }
    await this.release();
  }

  /** Writes pending data and closes everything that was opened, once. */
  private release(): Promise<void> {
    this.releasing ??= this.closeAll();
    return this.releasing;
  }

  private async closeAll(): Promise<void> {
    const { databases, settings, changes, access, cron, docs, metrics, visitors, background, logging, auth } =
      this.parts;
    for (const cleanup of this.cleanups.splice(0)) cleanup();
    await Promise.all([cron.stop(0), docs.close(), settings.close()]);
    await Promise.all([changes.close(), access.close(), auth.close()]);
    metrics.stop();
    visitors.close();
    // Records cannot reach an unresponsive database server, so the shutdown does not wait for them.
    const isAway = databases.problem?.reason === "unavailable";
    const withinMs = isAway ? lastTryMs : undefined;
    await background.close(withinMs);
    await logging.close(withinMs);
    await databases.close();
  }

  private async searchLogs(query: Parameters<App["logs"]["search"]>[0] & object) {
    await this.ready();
    await this.parts.logging.flush();
    return this.parts.databases.logStore?.search(query) ?? { items: [] };
  }
}

/** How long the threads try to store their data during shutdown while the database is unavailable. */
const lastTryMs = 1_000;

/** Distinguishes a check that found something from one that failed. */
const exitOpenPoints = 2;

function displayHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

/** Bypasses the log: the link is a secret until it is used or expires, and logs are stored and read by others. */
function announceSetup(setupUrl: string): void {
  const output = process.stdout.isTTY ? process.stdout : process.stderr;
  output.write(
    `\n  No superuser exists yet. Create the first one with this one-time link:\n  ${setupUrl}\n\n`,
  );
}

function onExit(listener: () => void): () => void {
  process.once("exit", listener);
  return () => process.off("exit", listener);
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
