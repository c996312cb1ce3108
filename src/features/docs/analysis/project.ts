import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isInPackage, isWithin, withSlashes } from "../../../lib/paths/paths.ts";
import { digestOf, digestOfFile, missing } from "../../../lib/source/digest.ts";
import { type AnalysisData, Describer, type ReadRoute, readRoute } from "./analyze.ts";
import type { CacheContent } from "./cache.ts";
import { closureOf } from "./closure.ts";
import { credentialOf } from "./facts/credential.ts";
import { decidesAccess, type HandlerFacts } from "./facts/handler-facts.ts";
import { nextQuestions, noTypes, queryKey, questionsOf } from "./facts/type-facts.ts";
import { Interpreter } from "./flow/interpreter.ts";
import { isOwnFile } from "./handlers/collect.ts";
import { functionFrom, type Reading } from "./handlers/find-handler.ts";
import type { AuthenticateFunction, Route } from "./handlers/route.ts";
import { isSameFunction } from "./handlers/same-function.ts";
import { findSecretTexts } from "./secrets/secret-texts.ts";
import { Marks } from "./source/marks.ts";
import { SourceFiles } from "./source/source-files.ts";
import { stampAll } from "./stamps.ts";
import { type ProjectEngine, TypeQuestions } from "./type-questions.ts";
import type { TypeEngineOptions, TypeQuery } from "./types/query.ts";
import { findValidators, type WantedValidator } from "./validators/find-validators.ts";
import { createValidatorFact } from "./validators/validator-fact.ts";

export interface ProjectOptions {
  readonly root: string;
  /** The files that the program has loaded, without those of packages. Default none. */
  readonly loaded?: readonly string[];
  readonly openEngine: (options: TypeEngineOptions) => ProjectEngine;
  /** The values of the environment variables, which no document may show. Default none. */
  readonly environment?: readonly string[] | undefined;
  /** Results of an earlier start. Those that still apply are not requested again. */
  readonly remembered?: Pick<CacheContent, "types" | "components"> | undefined;
}

export interface AnalyzeOptions {
  /** If the result with types takes longer than this, one without comes first. Default no limit. */
  readonly patienceMs?: number;
  readonly authenticate?: AuthenticateFunction | undefined;
}

/** What only the running program knows. */
export interface Program {
  /** The routes with the places of their handlers in the source. */
  locate(keys: readonly string[]): Promise<readonly Route[]>;
  /** The text that runs in the place of a part of a file, if the program runs the file as it is but for its types. */
  textOf(file: string, start: number, end: number): string | undefined;
  readValidators(
    wanted: readonly WantedValidator[],
  ): Promise<readonly (Record<string, unknown> | undefined)[]>;
}

export interface Result {
  readonly level: "syntax" | "exact";
  /** False when something better follows. */
  readonly isFinal: boolean;
  readonly data: AnalysisData;
}

/** The source of an application, read on every request. Unchanged files are not read again. */
export class Project {
  private readonly options: ProjectOptions;
  private readonly program: Program;
  private readonly files = new SourceFiles();
  private readonly machine: Interpreter;
  private readonly describer: Describer;
  private readonly types: TypeQuestions;
  private secrets = findSecretTexts([]);
  /** Queries about handlers with secret bodies. Their results contain the values, so they are not stored. */
  private secretQuestions = new Set<string>();
  private known = new Map<string, KnownRoute>();
  private changed: ReadonlySet<string> = new Set();
  /** The files that were saved since the program began: it runs what they were before. */
  private readonly edited = new Set<string>();
  private readonly marks: Marks;
  /** Whether no file has a mark, so that all handlers are read. */
  private readsAll = true;
  private readonly closures = new Map<string, ReadonlySet<string>>();
  private readonly closureDigests = new Map<string, string>();

  constructor(options: ProjectOptions, program: Program) {
    const { root } = options;
    this.options = options;
    this.program = program;
    this.types = new TypeQuestions({
      root,
      openEngine: options.openEngine,
      digestOf: (file) => this.closureDigest(file),
      remembered: options.remembered,
    });
    this.machine = new Interpreter(this.files, isOwnFile);
    this.marks = new Marks(this.files, isForeign);
    this.describer = new Describer({
      lineOf: (file, offset) => this.files.read(file)?.lineOf(offset) ?? 1,
      show: (file, line) => `${withSlashes(relative(root, file))}:${line}`,
    });
  }

  /** Analyzes the handlers of the routes. */
  async *analyze(
    routes: readonly Route[],
    { patienceMs = Number.POSITIVE_INFINITY, authenticate }: AnalyzeOptions = {},
  ): AsyncGenerator<Result> {
    const deadline = performance.now() + patienceMs;
    this.types.begin();
    this.types.prepare(routes.flatMap(({ registered }) => registered?.file ?? []));
    const read = await this.readAll(routes);
    for await (const result of this.describe(read, deadline)) yield this.addCredential(result, authenticate);
  }

  /** How requests show who sent them, which only the source of the application's own function says. */
  private addCredential(result: Result, authenticate: AuthenticateFunction | undefined): Result {
    if (!authenticate) return result;
    const { at, text, neededBy } = authenticate;
    const func = at && functionFrom(this.machine, at);
    const isFound =
      func &&
      isSameFunction(func, { text }, this.program.textOf(func.file.path, func.node.start, func.node.end));
    const credential = isFound ? credentialOf(this.machine.follow(func)) : "unknown";
    if (credential !== "unknown" || neededBy.length === 0)
      return { ...result, data: { ...result.data, credential } };
    const message =
      'The function passed to app.authenticate reads more than one header or cookie, or its source was not found, so the documents do not say how these operations are authenticated. Declare the scheme in the configuration of the version, for example: `securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } }`.';
    const diagnostic = {
      code: "SECURITY_SCHEME_UNKNOWN",
      message,
      routes: neededBy,
      ...(at && { file: relative(this.options.root, at.file), line: at.line }),
    };
    const diagnostics = [...result.data.diagnostics, diagnostic];
    return { ...result, data: { ...result.data, credential, diagnostics } };
  }

  /** Files whose change would change the result, with digests of their contents. */
  get contents(): ReadonlyMap<string, string> {
    return new Map([...this.files.contents].filter(([path]) => !isForeign(path)));
  }

  fileAt(path: string) {
    return this.files.read(path);
  }

  forget(changed: readonly string[]): void {
    this.changed = new Set(changed);
    for (const path of changed) this.edited.add(path);
    const isMoved = this.files.forget(changed);
    this.marks.forget(changed);
    this.machine.forget();
    for (const [path, closure] of this.closures) {
      if (!isMoved && !intersects(closure, this.changed)) continue;
      this.closures.delete(path);
      this.closureDigests.delete(path);
    }
    this.types.refresh(changed);
  }

  /** Files whose change changes everything: the compiler's configuration, the installed packages. */
  get environment(): ReadonlyMap<string, string> {
    return new Map(this.environmentFiles().map((path) => [path, digestOfFile(path)]));
  }

  /** The configuration of the compiler has changed, so nothing that it said is known any more. */
  forgetAll(): void {
    this.types.forgetAll();
    this.known.clear();
    this.closures.clear();
    this.closureDigests.clear();
    this.files.forgetImports();
    this.forget([]);
  }

  /** The next query starts the compiler again. */
  closeEngine(): Promise<void> {
    return this.types.closeEngine();
  }

  close(): Promise<void> {
    return this.types.close();
  }

  /** `undefined` if a file has changed since it was read: the result could belong to either state. */
  content(madeBy: string, routes: string, data: AnalysisData): CacheContent | undefined {
    const contents = [...this.files.contents];
    const files = stampAll(contents.map(([path]) => path));
    if (contents.some(([path, digest]) => (files[path]?.digest ?? missing) !== digest)) return undefined;
    return {
      madeBy,
      routes,
      environment: stampAll(this.environmentFiles()),
      files,
      data,
      ...this.types.toStore(this.secretQuestions),
    };
  }

  /** Only what may have changed is followed again. */
  private async readAll(routes: readonly Route[]): Promise<ReadRoute[]> {
    const { known, changed } = this;
    const reading = await this.startReading(routes);
    const isTraced = [...changed].every((path) => [...known.values()].some(({ files }) => files.has(path)));
    const keys = new Map(routes.map((route) => [route, JSON.stringify(route)]));
    const read = await this.readThose(routes, reading, (route) => {
      const before = known.get(keys.get(route)!);
      const isSame = before?.read.handler && isTraced && !intersects(before.files, changed);
      return isSame ? before.read : undefined;
    });
    this.known = new Map(
      read.map((each, index) => {
        const key = keys.get(routes[index]!)!;
        const before = known.get(key);
        return [key, before?.read === each ? before : { read: each, files: this.filesOf(each) }];
      }),
    );
    this.changed = new Set();
    return read;
  }

  private async startReading(routes: readonly Route[]): Promise<Reading> {
    const { loaded = [] } = this.options;
    const registering = new Set(routes.flatMap(({ registered }) => registered?.file ?? []));
    const reachable = [...registering].map((path) => this.closureOf(path));
    const markedFile = this.marks.find(new Set([...loaded, ...reachable.flatMap((paths) => [...paths])]));
    if ((markedFile === undefined) !== this.readsAll) this.known.clear();
    this.readsAll = markedFile === undefined;
    await this.findSecrets();
    return {
      markedFile,
      isRunning: (found, running, { registered }) => {
        const { path } = found.file;
        if (this.edited.has(path) || (registered && this.edited.has(registered.file))) return true;
        const { start, end } = found.node;
        return isSameFunction(found, running, this.program.textOf(path, start, end));
      },
    };
  }

  private async readThose(
    routes: readonly Route[],
    reading: Reading,
    recall: (route: Route) => ReadRoute | undefined,
  ): Promise<ReadRoute[]> {
    const read: ReadRoute[] = [];
    for (let start = 0; start < routes.length; start += routesPerBatch) {
      const next = routes.slice(start, start + routesPerBatch);
      const some = next.map((route) => recall(route) ?? readRoute(this.machine, route, reading));
      read.push(...some);
      this.askAhead(some);
      await nextTurn();
    }
    const hidden = read.filter(({ isHidden }) => isHidden).map(({ route }) => route.key);
    if (hidden.length === 0) return read;
    const located = new Map((await this.program.locate(hidden)).map((route) => [route.key, route]));
    return read.map((each) => {
      const route = located.get(each.route.key);
      return each.isHidden && (route?.handler || route?.problem)
        ? readRoute(this.machine, route, reading)
        : each;
    });
  }

  /** The files that a change must be in to concern a route. */
  private filesOf({ route, handler }: ReadRoute): ReadonlySet<string> {
    const starts = [handler?.place.file, ...route.middleware.map(({ at }) => at.file)].filter(
      (path) => path !== undefined,
    );
    return new Set([
      ...(route.registered ? [route.registered.file] : []),
      ...starts.flatMap((path) => [...this.closureOf(path)]),
    ]);
  }

  private async *describe(read: readonly ReadRoute[], deadline: number): AsyncGenerator<Result> {
    const handlers = read.flatMap(({ handler }) => (handler ? [handler] : []));
    const { types } = this;
    let isLate = false;
    try {
      // More files may have been read since.
      await this.findSecrets();
      await this.readValidators(read);
      for (this.askAbout(handlers); types.isWaiting; this.askAbout(handlers)) {
        for (const reading of types.takeAwaited()) {
          await reading;
          if (isLate || performance.now() < deadline) continue;
          isLate = true;
          yield { level: "syntax", isFinal: false, data: this.describer.describe(read, noTypes, {}) };
        }
      }
    } catch (error) {
      void types.closeEngine();
      const data = this.describer.describe(read, noTypes, {});
      const message = `Failed to run the TypeScript compiler, so the documents have no schemas: ${(error as Error).message}`;
      const diagnostics = [...data.diagnostics, { code: "TYPES_UNAVAILABLE", message }];
      return yield { level: "syntax", isFinal: true, data: { ...data, diagnostics } };
    }
    const secret = handlers.filter(decidesAccess);
    this.secretQuestions = new Set(secret.flatMap((each) => questionsOf(each, types).map(queryKey)));
    yield { level: "exact", isFinal: true, data: this.describer.describe(read, types, types.components) };
  }

  /** Queries the types of handlers while others are read. Handlers with validators wait until these have been read. */
  private askAhead(read: readonly ReadRoute[]): void {
    const needsValues = ({ route, handler }: ReadRoute) =>
      handler && findValidators(this.files, route.key, handler).length > 0;
    const handlers = read.flatMap((each) => (each.handler && !needsValues(each) ? each.handler : []));
    this.askAbout(handlers);
  }

  private askAbout(handlers: readonly HandlerFacts[]): void {
    this.types.ask(handlers.flatMap((handler) => nextQuestions(handler, this.types)));
  }

  /** Finds the secrets of the source. Neither the compiler nor validators may return them. */
  private async findSecrets(): Promise<void> {
    const own = [...this.files.all()].filter(({ path }) => !isForeign(path));
    this.secrets = findSecretTexts(own, this.options.environment);
    await this.types.conceal(this.secrets.texts);
  }

  /** The schema of a validator is more precise than its type, so its type is not queried. */
  private async readValidators(read: readonly ReadRoute[]): Promise<void> {
    const asked = (wanted: WantedValidator): TypeQuery => ({ ...wanted.place, kind: "input" });
    const wanted = read
      .flatMap(({ route, handler }) => (handler ? findValidators(this.files, route.key, handler) : []))
      .filter((each) => this.types.of(asked(each)) === undefined);
    if (wanted.length === 0) return;
    const schemas = await this.program.readValidators(wanted);
    wanted.forEach((each, index) => {
      const schema = schemas[index];
      if (!schema) return;
      this.types.add(asked(each), createValidatorFact(schema, this.secrets.isSecretAtRunTime));
    });
  }

  private closureOf(path: string): ReadonlySet<string> {
    return closureOf(this.files, path, this.closures, isForeign);
  }

  private closureDigest(path: string): string {
    const known = this.closureDigests.get(path);
    if (known !== undefined) return known;
    const contents = [...this.closureOf(path)]
      .sort()
      .map((each) => `${each} ${this.files.contents.get(each)}`);
    const digest = digestOf(contents.join("\n"));
    this.closureDigests.set(path, digest);
    return digest;
  }

  /** The configuration files from the folders of the files up to the project's, and the list of installed packages. */
  private environmentFiles(): string[] {
    const { root } = this.options;
    const folders = new Set<string>([root]);
    for (const path of this.contents.keys()) {
      for (
        let folder = dirname(path);
        isWithin(root, folder) && !folders.has(folder);
        folder = dirname(folder)
      )
        folders.add(folder);
    }
    const names = ["tsconfig.json", "package.json"];
    const found = [...folders].flatMap((folder) => names.map((name) => join(folder, name)));
    const all = [...found, join(root, "node_modules", ".package-lock.json")].filter((path) =>
      existsSync(path),
    );
    return [...new Set(all.flatMap((path) => (path.endsWith("tsconfig.json") ? withBases(path) : [path])))];
  }
}

/** A configuration and those that it extends, as far as they are files and not packages. */
function withBases(path: string, seen: ReadonlySet<string> = new Set()): string[] {
  if (seen.has(path) || !existsSync(path)) return [];
  const [, list = ""] = /"extends"\s*:\s*("[^"]*"|\[[^\]]*\])/.exec(readFileSync(path, "utf8")) ?? [];
  const bases = [...list.matchAll(/"(\.[^"]*)"/g)].map(([, base]) => resolve(dirname(path), base!));
  const known = new Set([...seen, path]);
  return [path, ...bases.flatMap((base) => withBases(base.endsWith(".json") ? base : `${base}.json`, known))];
}

/** After this many routes, queries are sent and the thread handles messages. */
const routesPerBatch = 100;
interface KnownRoute {
  readonly read: ReadRoute;
  readonly files: ReadonlySet<string>;
}

const isForeign = (path: string) => isInPackage(path) || isOwnFile(path);

function intersects(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...other].some((each) => one.has(each));
}
