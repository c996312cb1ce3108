import type { AttachOptions } from "../adapters/index.ts";
import { type Auth, revocationOf } from "../auth/index.ts";
import type { Feature } from "../feature/index.ts";
import { cron } from "../features/cron/index.ts";
import { docs } from "../features/docs/index.ts";
import { type Logger, logging } from "../features/logging/index.ts";
import {
  explainStartErrors,
  findObserved,
  guardProcess,
  type InjectRequest,
  type InjectResponse,
  monitorProcess,
  RouteError,
  readCertificate,
  usesTls,
} from "../http/index.ts";
import { keepRunning, keepRunningDuring } from "../lib/node/keep-running.ts";
import { captureCaller } from "../lib/source/source-location.ts";
import { escapeControls } from "../lib/text/terminal-text.ts";
import { isError, readProperty, toText } from "../lib/thrown.ts";
import { traceContext } from "../lib/trace-context.ts";
import { type Database, toStartError } from "../storage/index.ts";
import type { App, ServeEvent, Started, TerminateEvent } from "./app.ts";
import { HostAttachment } from "./attach/host-attachment.ts";
import { type Base, createBase } from "./base.ts";
import { type Config, resolveConfig, takeClientTargets } from "./config/config.ts";
import type { AppOptions } from "./config/options.ts";
import { displayHost } from "./display-host.ts";
import { features } from "./features.ts";
import { type HookOptions, Hooks } from "./hooks.ts";
import { InstalledFeatures } from "./installed-features.ts";
import { refuseBundle } from "./refuse-bundle.ts";
import { createAnnouncement, offerSetupLink } from "./setup-link.ts";
import { settleHostStop, settleStop, stopBeforeSignals, stopOnSignals } from "./signals.ts";
import { performTask } from "./tasks/perform-task.ts";
import { currentTask, type TaskAssignment } from "./tasks/task.ts";
import { currentWorkerMode, explainWorkerError, type WorkerMode } from "./worker/worker.ts";
import { serveHealth } from "./worker/worker-health.ts";

/**
 * Creates an application. `app.start()` opens the database and the port.
 *
 * ```ts
 * const app = createApp({ port: 3000 });
 * await app.start();
 * ```
 */
export function createApp(options?: AppOptions): App {
  return createAppWith(features, options, captureCaller(createApp)?.file);
}

/** Creates an application with other features. `caller`: the module that creates it. */
export function createAppWith(installed: readonly Feature[], options?: AppOptions, caller?: string): App {
  refuseBundle();
  explainStartErrors();
  return new Application(resolveConfig(forWorker(options), undefined, installed, caller), installed);
}

/** A worker runs jobs, even if the program is configured to only serve. */
function forWorker(options: AppOptions | undefined): AppOptions | undefined {
  if (currentWorkerMode() === undefined || typeof (options ?? {}) !== "object") return options;
  return { ...options, cron: { ...options?.cron, run: true } };
}

/** Restarts in development do not wait for open streams. */
const restartGraceMs = 500;

/** Controls the lifecycle of its features: created, ready, listening, stopped. */
class Application implements App {
  private readonly config: Config;
  private readonly base: Base;
  private readonly features: InstalledFeatures;
  private readonly serveHooks = new Hooks<Omit<ServeEvent, "next">>();
  private readonly terminateHooks = new Hooks<Omit<TerminateEvent, "next">>();
  private readonly cleanups: (() => void)[] = [];
  private readying: Promise<void> | undefined;
  private starting: Promise<Started> | undefined;
  private launching: Promise<unknown> | undefined;
  private stopping: Promise<void> | undefined;
  private releasing: Promise<void> | undefined;
  private attaching: Promise<void> | undefined;
  private host: HostAttachment | undefined;
  private hasFailedToAttach = false;
  readonly isWorker = currentWorkerMode() !== undefined;
  /** The source analysis reads it to find out how requests are authenticated. */
  private authenticateFunction: Parameters<Auth["resolveWith"]>[0] | undefined;

  constructor(config: Config, installed: readonly Feature[]) {
    this.config = config;
    this.base = createBase({
      config,
      app: this,
      features: installed,
      authenticateFunction: () => this.authenticateFunction,
    });
    const { background, databases, context } = this.base;
    // A build needs no database, so it does not wait for one.
    if (currentTask() !== undefined) databases.stopWaiting();
    this.features = new InstalledFeatures(installed, context);
    context.reports.storageIssues.add(
      () => background.findProblems(),
      () => databases.findDamage(),
    );
  }

  get jobs(): App["jobs"] {
    return this.features.demand(cron).jobs;
  }

  get logger(): Logger {
    return this.features.demand(logging).logger;
  }

  get logs(): App["logs"] {
    const { search } = this.features.demand(logging);
    return {
      search: (query) =>
        keepRunningDuring(async () => {
          await this.ready();
          return search(query);
        }),
    };
  }

  get superusers(): App["superusers"] {
    return this.base.auth.superusers;
  }

  onServe(hook: (e: ServeEvent) => unknown, options?: HookOptions): void {
    if (this.readying)
      throw new RouteError(
        "Cannot add a serve hook: the server is ready. Call app.onServe before app.start() or app.attach().",
      );
    this.serveHooks.add(hook, options);
  }

  onTerminate(hook: (e: TerminateEvent) => unknown, options?: HookOptions): void {
    this.terminateHooks.add(hook, options);
  }

  authenticate(resolve: Parameters<Auth["resolveWith"]>[0]): void {
    this.base.auth.resolveWith(resolve);
    this.authenticateFunction = resolve;
  }

  database(): Promise<Database> {
    return keepRunningDuring(() => this.base.databases.databaseOfApplication());
  }

  start(): Promise<Started> {
    if (this.attaching && currentTask() === undefined && !this.isWorker)
      throw new Error("Annex is attached to another server. Call either start or attach.");
    const assignment = currentTask();
    const worker = currentWorkerMode();
    // Not earlier: on the server of another application, errors are left to it.
    guardProcess();
    this.starting ??= keepRunningDuring(() => {
      if (assignment !== undefined) return this.launch(this.runTask(assignment));
      return this.launch(worker === undefined ? this.listen() : this.work(worker));
    });
    return this.starting;
  }

  attach(target: object, options: AttachOptions = {}): Promise<void> {
    if (this.hasFailedToAttach)
      throw new Error(
        "Annex could not be attached. To try again, create another application with createApp.",
      );
    if (this.attaching)
      throw new Error("Annex is attached already. Create one application for each with createApp.");
    if (this.starting) throw new Error("The application has been started. Call either start or attach.");
    if (currentTask() !== undefined || this.isWorker) {
      this.attaching = this.start().then(() => {});
    } else {
      const joining = keepRunningDuring(() => this.join(target, options));
      this.launching = joining;
      this.attaching = joining.catch(async (error) => {
        this.hasFailedToAttach = true;
        this.base.events.emit("app.attachFailed", {});
        await settleHostStop();
        throw error;
      });
    }
    return this.attaching;
  }

  detach(): Promise<void> {
    return this.stop();
  }

  reportError(error: unknown, request?: object): void {
    const observed = findObserved(request);
    if (observed) observed.report(error);
    else this.logger.error("Reported error", { error });
  }

  readonly errorHandler: App["errorHandler"] = (error, request, _response, next) => {
    const observed = findObserved(request);
    // The next error handler decides whether it is an error of the client or of the server.
    if (observed) observed.noteError(error);
    else this.reportError(error);
    next(error);
  };

  traceId(): string | undefined {
    return traceContext.getStore()?.traceId;
  }

  stop({ isRestart = false }: { isRestart?: boolean } = {}): Promise<void> {
    // With the port closed, nothing else might keep the process running until the shutdown is complete.
    this.stopping ??= keepRunningDuring(() => this.shutDown(isRestart));
    return this.stopping;
  }

  inject(request: InjectRequest): Promise<InjectResponse> {
    return keepRunningDuring(async () => {
      if (!this.attaching) guardProcess();
      await this.ready();
      return this.base.listener.inject(request);
    });
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
    const { listener, databases, auth } = this.base;
    await databases.own();
    await this.features.open(databases.untilReachable);
    listener.identifyWith(auth.identify, revocationOf);
    this.reserveRoutes();
    auth.mount(listener.routes.router("Annex"));
    this.features.mount(listener.routes);
    const router = this.features.serve(listener.routes.router("the application"));
    await this.serveHooks.run({ app: this, router });
    this.features.ready(this.starting !== undefined || this.attaching !== undefined);
    await listener.ready();
  }

  private reserveRoutes(): void {
    const { routes } = this.base.listener;
    for (const prefix of authPrefixes) routes.reserve(prefix, "Annex");
    this.features.reserve(routes);
  }

  private async launch(start: Promise<Started>): Promise<Started> {
    this.launching = start;
    try {
      return await start;
    } catch (error) {
      // A start that a signal has stopped must not end the process before the shutdown is complete.
      await settleStop();
      throw error;
    }
  }

  private async listen(): Promise<Started> {
    const { host, port: wanted, signals, basePath } = this.config.server;
    const { listener, events, auth, logger, databases } = this.base;
    const scheme = usesTls(this.config.tls) ? "https" : "http";
    const warning = scheme === "https" ? await this.useCertificate() : undefined;
    await this.ready();
    if (warning !== undefined) logger.warn(warning);
    try {
      const { port } = await listener.listen(host, wanted);
      const url = `${scheme}://${displayHost(host)}:${port}`;
      if (signals) this.cleanups.push(stopOnSignals(this));
      await this.features.start(databases.untilReachable);
      events.emit("app.started", { url });
      const clients = takeClientTargets();
      if (clients.length > 0) void this.features.demand(docs).keepClients(clients);
      const setupUrl = await offerSetupLink(
        { createSetupLink: (base) => databases.untilReachable(() => auth.createSetupLink(base)) },
        logger,
        url + basePath,
      );
      return { url, port, ...(setupUrl !== undefined && { setupUrl }) };
    } catch (error) {
      await listener.close(0);
      await this.release();
      throw toStartError(error);
    }
  }

  /** Runs on the server of another application. */
  private async join(target: object, options: AttachOptions): Promise<void> {
    const { listener, events, logger, auth, databases } = this.base;
    const { basePath, signals } = this.config.server;
    const announce = createAnnouncement(auth, logger, basePath);
    databases.leaveSignals();
    await this.ready();
    try {
      this.host = new HostAttachment(target, options, {
        listener,
        logger,
        onListening: (url) => void announce(url),
        onClosing: (server) => listener.drainHost(server),
        onClosed: () =>
          this.stop().catch((error: unknown) => logger.error("Failed to stop", { event: "error", error })),
      });
      this.cleanups.push(
        monitorProcess((error) => logger.error("Uncaught error", { event: "error", error })),
      );
      if (signals) this.cleanups.push(stopBeforeSignals(this, this.host));
      await this.features.start(databases.untilReachable);
      events.emit("app.started", { attachedTo: this.host.name });
    } catch (error) {
      this.host?.detach();
      await this.features.stop(0);
      await this.release();
      throw toStartError(error);
    }
  }

  /** Checked before anything is opened. Returns a warning for the log. */
  private async useCertificate(): Promise<string | undefined> {
    try {
      const certificate = readCertificate(this.config.tls, Date.now());
      this.base.listener.useCertificate(certificate);
      return certificate.warning;
    } catch (error) {
      await this.release();
      throw error;
    }
  }

  /** Starts everything except the port: see `worker.ts`. */
  private async work({ healthPort, onStart }: WorkerMode): Promise<Started> {
    const { server } = this.config;
    const { events, logger, databases } = this.base;
    onStart();
    await this.ready().catch((error: unknown) => {
      throw explainWorkerError(error);
    });
    try {
      if (server.signals) this.cleanups.push(stopOnSignals(this));
      // The timers of the scheduler do not keep the process running.
      this.cleanups.push(keepRunning());
      await this.features.start(databases.untilReachable);
      events.emit("app.started", {});
      if (healthPort !== undefined) {
        const { host, basePath } = server;
        const { port, close } = await serveHealth(this, { host, port: healthPort, basePath });
        this.cleanups.push(close);
        logger.info(`Health checks at http://${displayHost(host)}:${port}${basePath}/api/health/ready`);
      }
      return { url: "", port: 0 };
    } catch (error) {
      await this.features.stop(0);
      await this.release();
      throw toStartError(error);
    }
  }

  /** Runs instead of a start and ends the process: see `task.ts`. The routes are registered but not served. */
  private async runTask({ task, report }: TaskAssignment): Promise<Started> {
    report("begun");
    this.reserveRoutes();
    const router = this.features.serve(this.base.listener.routes.router("the application"));
    // Hooks may bind middleware that affects the documents. A hook that needs a database fails here.
    await this.serveHooks.run({ app: this, router }).catch((error: unknown) => {
      const reason = escapeControls(toText(isError(error) ? readProperty(error, "message") : error));
      process.stderr.write(
        `annex: Failed to run a serve hook. Its routes and middleware are not documented: ${reason}\n`,
      );
    });
    const code = await performTask(task, this.features.demand(docs));
    await this.release();
    report("done");
    process.exit(code);
  }

  private async shutDown(isRestart: boolean): Promise<void> {
    this.base.databases.stopWaiting();
    // A start in progress is completed first, so that there is only one state to undo.
    // Not `starting` and `attaching`, which wait for the shutdown if a signal has stopped the start.
    await Promise.allSettled([this.launching, this.readying]);
    const { listener, events, logger } = this.base;
    this.host?.detach();
    if (!this.host) listener.drain();
    events.emit("app.draining", {});
    const { drainMs, graceMs } = this.config.shutdown;
    if (drainMs > 0 && this.starting && !isRestart) await delay(drainMs);
    const waitMs = isRestart ? Math.min(graceMs, restartGraceMs) : graceMs;
    await Promise.all([listener.close(waitMs), this.features.stop(waitMs)]);
    try {
      await this.terminateHooks.run({ app: this, isRestart });
    } catch (error) {
      logger.error("Failed to run a terminate hook", { error });
    }
    if (this.starting || this.host) events.emit("app.stopped", { isRestart });
    await this.release();
  }

  /** Writes pending data and closes everything that was opened, once. */
  private release(): Promise<void> {
    this.releasing ??= this.closeAll();
    return this.releasing;
  }

  private async closeAll(): Promise<void> {
    const { auth, background, databases, logger } = this.base;
    for (const cleanup of this.cleanups.splice(0)) cleanup();
    await this.features.close();
    await auth.close();
    // Data cannot reach an unresponsive database server, so the shutdown does not wait for it.
    await background.close(databases.isUnavailable() ? lastTryMs : undefined);
    await logger.close();
    await databases.close();
  }
}

/** Path prefixes of the sign-in pages and the API of superusers. */
const authPrefixes = ["/_", "/api/collections/_superusers"];

/** How long the background thread tries to store its data during shutdown while the database is unavailable. */
const lastTryMs = 1_000;

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
