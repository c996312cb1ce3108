import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Clock, systemClock } from "../../lib/time/clock.ts";
import { RouteChecks } from "./checks/route-checks.ts";
import { DOCS_IN_USE } from "./errors.ts";
import { refuseOtherBodies, refuseOtherBodiesBy } from "./expected-bodies.ts";
import type { OpenAPIDocument } from "./model/openapi.ts";
import type { Analyzer } from "./openapi/analysis.ts";
import { isChecked } from "./registry/endpoint.ts";
import { APIRegistry } from "./registry/registry.ts";
import { readSpec, writeSpecs } from "./specs/spec-files.ts";
import { describeStaleSpec } from "./specs/stale-spec.ts";
import { ImplicitVersion } from "./versions/implicit-version.ts";
import { DocumentBuilder } from "./versions/published.ts";
import type { DocsHost } from "./versions/server.ts";
import { checkDefaultVersion, type Version, type VersionSource } from "./versions/version.ts";

export interface DocsOptions {
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Whether the version of an application that registers none is public. Default false. */
  readonly publishesImplicit?: boolean;
  /** Whether public documents and files include source locations. Superusers always see them. Default false. */
  readonly publishesSources?: boolean;
}

/**
 * Where documents come from: the source, which is being read or has been read; files generated earlier; or the routes
 * alone.
 */
export type ReadingState = "reading" | "ready" | "from disk" | "none";

/** How long a request for a document waits for the analysis. */
const patienceMs = 15_000;

/** The documentation of one application: its versions and their documents. */
export class Docs implements DocsHost {
  readonly builder: DocumentBuilder;
  readonly clock: Clock;
  /** Shown as long as no version is registered. */
  readonly implicit: ImplicitVersion;
  /** The checks of routes with `checked()`. */
  readonly checks: RouteChecks;
  /** Called when a version is registered or changed. */
  onVersion: (version: Version) => void = () => {};
  private registered: VersionSource | undefined;
  private unsubscribe: () => void = () => {};
  /** The versions whose routes the application serves. */
  private readonly served = new Set<VersionSource>();
  private createAnalyzer: (() => Promise<Analyzer>) | undefined;
  private analyzer: Promise<Analyzer> | undefined;
  private learning: Promise<void> | undefined;
  private hasLearnt = false;
  private readonly analyzedListeners: (() => void)[] = [];

  constructor({
    clock = systemClock,
    publishesSources = false,
    publishesImplicit = false,
  }: DocsOptions = {}) {
    this.clock = clock;
    this.implicit = new ImplicitVersion({ isPublic: publishesImplicit, clock });
    this.builder = new DocumentBuilder(clock, publishesSources);
    this.checks = new RouteChecks(() => this.registries().flatMap((registry) => registry.list()));
  }

  /** Sets the versions. An application has one version manager. */
  use(versions: VersionSource): void {
    if (this.registered === versions) return;
    if (this.registered !== undefined) throw DOCS_IN_USE();
    this.registered = versions;
    this.unsubscribe = versions.onChange((version) => this.onVersion(version));
    for (const version of this.listRegistered()) this.onVersion(version);
  }

  noteRoutes(versions: VersionSource): void {
    this.served.add(versions);
  }

  /** Throws if the default version is not registered. Warns about versions that are registered only in part. */
  checkVersions(warn: (message: string) => void): void {
    const { registered } = this;
    if (registered) checkDefaultVersion(registered);
    for (const versions of this.served) {
      if (versions === registered) continue;
      const labels = nameVersions(versions.getAllVersions());
      warn(
        `The routes of API ${labels} are registered, but not their documentation. Call versions.registerWithServer(app), or pass createApp({ versions }).`,
      );
    }
    const unserved = registered?.listUnserved() ?? [];
    if (unserved.length > 0)
      warn(
        `The documentation of API ${nameVersions(unserved)} is registered, but not the routes. Call versions.registerAllVersionRoutes(e) in app.onServe, or pass createApp({ versions }).`,
      );
  }

  get isImplicit(): boolean {
    return !this.registered?.getAllVersions().length;
  }

  private get versions(): VersionSource {
    return this.isImplicit ? this.implicit : this.registered!;
  }

  /** Sets the analyzer, which runs when `learn` is called or a document is requested. Development only. */
  setAnalyzer(createAnalyzer: () => Promise<Analyzer>): void {
    this.createAnalyzer = createAnalyzer;
  }

  /** Reads the source. Documents contain what is known so far. Resolves when the analysis is complete. */
  analyze(): Promise<void> {
    this.learning ??= this.readSource().finally(() => {
      this.hasLearnt = true;
    });
    return this.learning;
  }

  /** Calls the function each time the analysis knows more. */
  onAnalyzed(listener: () => void): void {
    this.analyzedListeners.push(listener);
  }

  /** Waits until the documents are complete, up to a limit. Documents state how complete they are. */
  async settle(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patienceMs);
    await Promise.race([this.analyze(), late]);
    clearTimeout(timer);
  }

  get readingState(): ReadingState {
    if (this.createAnalyzer) return this.hasLearnt ? "ready" : "reading";
    return this.builder.stored.size > 0 ? "from disk" : "none";
  }

  async close(): Promise<void> {
    // The versions may outlive the application.
    this.unsubscribe();
    await (await this.analyzer?.catch(() => undefined))?.close();
  }

  private async readSource(): Promise<void> {
    if (!this.createAnalyzer) return;
    this.analyzer = this.createAnalyzer();
    let checks: Promise<void> | undefined;
    await (await this.analyzer).analyze(this.registries(), (analysis) => {
      this.builder.analysis = analysis;
      for (const version of this.list()) refuseOtherBodies(version, analysis);
      checks = this.checks.learn(analysis);
      for (const listener of this.analyzedListeners) listener();
    });
    await checks;
    this.checks.giveUp(this.builder.analysis);
  }

  /** The registries of all versions and, once versions are registered, the other routes that are checked. */
  private registries(): APIRegistry[] {
    const registries = this.list().map(({ registry }) => registry);
    if (this.isImplicit) return registries;
    const others = new APIRegistry();
    for (const endpoint of this.implicit.list()) if (isChecked(endpoint.notes())) others.add(endpoint);
    return others.size > 0 ? [...registries, others] : registries;
  }

  /**
   * Reads documents generated earlier from a folder. A missing or invalid file causes a warning, and the running routes
   * are used instead.
   */
  readSpecs(folder: string, warn: (message: string) => void): void {
    const stored = new Map<string, { document: OpenAPIDocument; madeAt: Date }>();
    const hasFolder = existsSync(folder);
    if (!hasFolder && !this.isImplicit)
      warn(
        `Using the running routes for all documents: the folder ${folder} does not exist. Run: annex build --production`,
      );
    for (const { label } of hasFolder ? this.list() : []) {
      const spec = readSpec(folder, label);
      if (spec && "document" in spec) stored.set(label, spec);
      else if (!this.isImplicit) {
        const reason = spec ? `${spec.file}: ${spec.problem}` : `${folder} contains no ${label}.json`;
        warn(`Using the running routes for the document of version ${label}: ${reason}`);
      }
    }
    this.builder.stored = stored;
    for (const version of this.list()) {
      const spec = stored.get(version.label);
      if (!spec) continue;
      refuseOtherBodiesBy(version, spec.document);
      const differences = describeStaleSpec(version, spec.document);
      if (differences !== undefined)
        warn(
          `${join(folder, `${version.label}.json`)} is out of date: ${differences}. Run: annex build --production`,
        );
    }
  }

  /** Registers the routes of all versions for the documentation only, unless they are already registered. */
  registerRoutes(): void {
    if (this.registered) checkDefaultVersion(this.registered);
    if (this.list().every(({ registry }) => registry.size === 0))
      this.registered?.registerAllVersionRoutesForDocs();
  }

  /**
   * Writes the complete document of every version, and the checks. `problems` lists why routes cannot be checked;
   * nothing is written then.
   */
  async writeSpecs(folder: string): Promise<{ files: readonly string[]; problems: readonly string[] }> {
    this.registerRoutes();
    await this.analyze();
    const problems = await this.checks.write(folder, this.builder.analysis);
    if (problems.length > 0) return { files: [], problems };
    const documents = this.list().map(
      async (version) => [version.label, await this.createFileDocument(version)] as const,
    );
    return { files: writeSpecs(folder, new Map(await Promise.all(documents))), problems };
  }

  /** The document of a version as it is written to a file. */
  createFileDocument(version: Version): Promise<OpenAPIDocument> {
    return this.builder.createForFile(version);
  }

  get defaultVersion(): string | undefined {
    return this.versions.getDefaultVersion();
  }

  find(label: string): Version | undefined {
    return this.versions.find(label);
  }

  /** All versions, sorted by label. */
  list(): Version[] {
    return listOf(this.versions);
  }

  /** The versions that the application registered. */
  listRegistered(): Version[] {
    return this.registered ? listOf(this.registered) : [];
  }
}

function listOf(versions: VersionSource): Version[] {
  return versions.getAllVersions().map((label) => versions.find(label)!);
}

function nameVersions(labels: readonly string[]): string {
  return `${labels.length === 1 ? "version" : "versions"} ${labels.join(", ")}`;
}
