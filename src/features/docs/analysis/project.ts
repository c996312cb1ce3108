import { relative } from "node:path";
import { isInPackage, withSlashes } from "../../../lib/paths/paths.ts";
import { digestOfFile, missing } from "../../../lib/source/digest.ts";
import { type AnalysisData, Describer, type ReadRoute } from "./analyze.ts";
import type { CacheContent } from "./cache.ts";
import { credentialOf } from "./facts/credential.ts";
import { decidesAccess, type HandlerFacts } from "./facts/handler-facts.ts";
import { nextQuestions, noTypes, queryKey, questionsOf } from "./facts/type-facts.ts";
import { Interpreter } from "./flow/interpreter.ts";
import { isOwnFile } from "./handlers/collect.ts";
import { functionFrom } from "./handlers/find-handler.ts";
import type { AuthenticateFunction, Route } from "./handlers/route.ts";
import { isSameFunction } from "./handlers/same-function.ts";
import { type LocatingProgram, RouteReader } from "./route-reader.ts";
import { findSecretTexts } from "./secrets/secret-texts.ts";
import { Closures } from "./source/closures.ts";
import { environmentFilesOf } from "./source/environment-files.ts";
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
export interface Program extends LocatingProgram {
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
  private readonly marks: Marks;
  private readonly closures: Closures;
  private readonly routes: RouteReader;

  constructor(options: ProjectOptions, program: Program) {
    const { root } = options;
    this.options = options;
    this.program = program;
    this.closures = new Closures(this.files, isForeign);
    this.types = new TypeQuestions({
      root,
      openEngine: options.openEngine,
      digestOf: (file) => this.closures.digestOf(file),
      remembered: options.remembered,
    });
    this.machine = new Interpreter(this.files, isOwnFile);
    this.marks = new Marks(this.files, isForeign);
    this.routes = new RouteReader({
      machine: this.machine,
      marks: this.marks,
      closures: this.closures,
      program,
      loaded: options.loaded ?? [],
    });
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
    const read = await this.routes.read(routes, {
      begin: () => this.findSecrets(),
      onRead: (some) => this.askAhead(some),
    });
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
    const isMoved = this.files.forget(changed);
    this.marks.forget(changed);
    this.machine.forget();
    this.routes.forget(new Set(changed));
    this.closures.forget(new Set(changed), isMoved);
    this.types.refresh(changed);
  }

  /** Files whose change changes everything: the compiler's configuration, the installed packages. */
  get environment(): ReadonlyMap<string, string> {
    return new Map(this.environmentFiles().map((path) => [path, digestOfFile(path)]));
  }

  /** The configuration of the compiler has changed, so nothing that it said is known any more. */
  forgetAll(): void {
    this.types.forgetAll();
    this.routes.forgetAll();
    this.closures.forgetAll();
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

  private environmentFiles(): string[] {
    return environmentFilesOf(this.options.root, this.contents.keys());
  }
}

const isForeign = (path: string) => isInPackage(path) || isOwnFile(path);
