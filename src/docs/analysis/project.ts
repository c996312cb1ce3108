import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { type AnalysisData, describeRoutes, type ReadRoute, readRoute } from "./analyze.ts";
import { type CacheContent, isWhole, type KeptFact, readCache, writeCache } from "./cache.ts";
import { closureOf, type Stamp, stampOf } from "./closure.ts";
import type { Places } from "./facts/operation-facts.ts";
import { noTypes, queryKey, questionsOf, type TypeFacts } from "./facts/type-facts.ts";
import { Interpreter } from "./flow/interpreter.ts";
import { isOwnFile } from "./handlers/collect.ts";
import type { Route } from "./handlers/route.ts";
import { digestOf, SourceFiles } from "./source/source-files.ts";
import type { RawComponent, TypeEngine, TypeQuery } from "./types/query.ts";
import { findValidators, type WantedValidator } from "./validators/find-validators.ts";

export interface ProjectOptions {
  readonly root: string;
  readonly cacheFile: string | undefined;
  /** The releases that the results depend on. */
  readonly madeBy: string;
  readonly openEngine: (options: { root: string; files: readonly string[] }) => TypeEngine;
}

/** What only the running program can tell. */
export interface Program {
  locate(keys: readonly string[]): Promise<readonly Route[]>;
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

/** The source of an application, read as often as it is asked for; what did not change is not read again. */
export class Project {
  private readonly options: ProjectOptions;
  private readonly program: Program;
  private readonly files = new SourceFiles();
  private readonly machine: Interpreter;
  private engine: TypeEngine | undefined;
  private types = new Map<string, KeptFact>();
  private components: Record<string, RawComponent> = {};
  private readonly places: Places;

  constructor(options: ProjectOptions, program: Program) {
    this.options = options;
    this.program = program;
    this.machine = new Interpreter(this.files, isOwnFile);
    const { root } = options;
    this.places = {
      lineOf: (file, offset) => this.files.read(file)?.lineOf(offset) ?? 1,
      show: (file, line) => `${relative(root, file).split(sep).join("/")}:${line}`,
    };
  }

  /** What syntax tells, as soon as it is known, and then what types add. */
  async *analyze(routes: readonly Route[]): AsyncGenerator<Result> {
    const { cacheFile, madeBy } = this.options;
    const routesKey = digestOf(JSON.stringify(routes));
    const cached = cacheFile === undefined ? undefined : readCache(cacheFile, madeBy);
    if (cached) this.remember(cached);
    if (cached && isWhole(cached, routesKey)) {
      yield { level: "exact", isFinal: true, data: cached.data };
      return;
    }
    const read = await this.readAll(routes);
    yield { level: "syntax", isFinal: false, data: describeRoutes(read, this.places, noTypes) };
    const exact = await this.describeExactly(read);
    const content =
      exact.level === "exact" && cacheFile !== undefined && this.content(routesKey, exact.data, read);
    if (content) writeCache(cacheFile!, content);
    yield exact;
  }

  /** Files whose change would change the result. */
  get watchedFiles(): readonly string[] {
    return [...this.files.contents.keys()].filter(
      (path) => !path.includes("/node_modules/") && !isOwnFile(path),
    );
  }

  digestOf(path: string): string | undefined {
    return this.files.contents.get(path);
  }

  fileAt(path: string) {
    return this.files.read(path);
  }

  forget(changed: readonly string[]): void {
    this.files.forget(changed);
    this.machine.forget();
    try {
      this.engine?.refresh(changed);
    } catch {
      this.closeEngine();
    }
  }

  /** The compiler is a process of its own, and large. */
  closeEngine(): void {
    try {
      this.engine?.close();
    } catch {
      // It may have ended by itself.
    }
    this.engine = undefined;
  }

  private async readAll(routes: readonly Route[]): Promise<ReadRoute[]> {
    const read = routes.map((route) => readRoute(this.machine, route));
    const hidden = read.filter(({ isHidden }) => isHidden).map(({ route }) => route.key);
    if (hidden.length === 0) return read;
    const located = new Map((await this.program.locate(hidden)).map((route) => [route.key, route]));
    return read.map((each) => {
      const route = located.get(each.route.key);
      return route?.handler ? readRoute(this.machine, route) : each;
    });
  }

  private async describeExactly(read: readonly ReadRoute[]): Promise<Result> {
    const handlers = read.flatMap(({ route, handler }) => (handler ? [{ route, handler }] : []));
    const closures = new Map<string, ReadonlySet<string>>();
    const queries = new Map(
      handlers.flatMap(({ handler }) => questionsOf(handler)).map((query) => [queryKey(query), query]),
    );
    try {
      await this.readValidators(read, closures);
      this.ask([...queries.values()], closures);
    } catch (error) {
      const data = describeRoutes(read, this.places, noTypes);
      const diagnostic = {
        code: "TYPES_UNAVAILABLE",
        message: `The compiler could not be asked, so the documents have no schemas: ${(error as Error).message}`,
      };
      this.closeEngine();
      return {
        level: "syntax",
        isFinal: true,
        data: { ...data, diagnostics: [...data.diagnostics, diagnostic] },
      };
    }
    const types: TypeFacts = { isKnown: true, of: (query) => this.types.get(queryKey(query))?.fact };
    return { level: "exact", isFinal: true, data: describeRoutes(read, this.places, types, this.components) };
  }

  private ask(queries: readonly TypeQuery[], closures: Map<string, ReadonlySet<string>>): void {
    const fresh = queries.filter(
      (query) => this.types.get(queryKey(query))?.closure !== this.closureDigest(query.file, closures),
    );
    if (fresh.length === 0) return;
    const files = [...new Set(fresh.map(({ file }) => file))];
    this.engine ??= this.options.openEngine({ root: this.options.root, files });
    const { facts, components } = this.engine.ask(fresh);
    Object.assign(this.components, components);
    fresh.forEach((query, index) => {
      this.types.set(queryKey(query), {
        fact: facts[index]!,
        closure: this.closureDigest(query.file, closures),
      });
    });
  }

  /** The value of a validator tells more than its type, so it comes first and its type is not asked for. */
  private async readValidators(
    read: readonly ReadRoute[],
    closures: Map<string, ReadonlySet<string>>,
  ): Promise<void> {
    const wanted = read
      .flatMap(({ route, handler }) => (handler ? findValidators(this.files, route.key, handler) : []))
      .filter(
        ({ place }) =>
          this.types.get(queryKey({ ...place, kind: "input" }))?.closure !==
          this.closureDigest(place.file, closures),
      );
    if (wanted.length === 0) return;
    const schemas = await this.program.readValidators(wanted);
    wanted.forEach(({ place }, index) => {
      const schema = schemas[index];
      if (!schema) return;
      const fact = { schema, components: [], problems: [] };
      this.types.set(queryKey({ ...place, kind: "input" }), {
        fact,
        closure: this.closureDigest(place.file, closures),
      });
    });
  }

  private closureDigest(path: string, closures: Map<string, ReadonlySet<string>>): string {
    const isForeign = (each: string) => each.includes("/node_modules/") || isOwnFile(each);
    const closure = closureOf(this.files, path, closures, isForeign);
    return digestOf(
      [...closure]
        .sort()
        .map((each) => `${each} ${this.files.contents.get(each)}`)
        .join("\n"),
    );
  }

  private remember({ types, components }: CacheContent): void {
    this.types = new Map(Object.entries(types));
    this.components = { ...components };
  }

  /** `undefined` when a file has changed since it was read: what was found out may be of either of its states. */
  private content(routes: string, data: AnalysisData, read: readonly ReadRoute[]): CacheContent | undefined {
    const { contents } = this.files;
    const files = stamps([...contents.keys()]);
    if ([...contents].some(([path, digest]) => files[path]?.digest !== digest)) return undefined;
    const used = new Set(read.flatMap(({ handler }) => (handler ? questionsOf(handler).map(queryKey) : [])));
    const kept = [...this.types].filter(([key]) => used.has(key));
    const named = new Set(kept.flatMap(([, { fact }]) => fact.components));
    return {
      madeBy: this.options.madeBy,
      routes,
      environment: stamps(this.environmentFiles()),
      files,
      data,
      types: Object.fromEntries(kept),
      components: Object.fromEntries(
        Object.entries(this.components).filter(([identity]) => named.has(identity)),
      ),
    };
  }

  /** Configurations from the folders of the files up to the project's, and what is installed. */
  private environmentFiles(): string[] {
    const { root } = this.options;
    const folders = new Set<string>([root]);
    for (const path of this.watchedFiles) {
      for (
        let folder = dirname(path);
        folder.startsWith(root) && !folders.has(folder);
        folder = dirname(folder)
      )
        folders.add(folder);
    }
    const names = ["tsconfig.json", "package.json", "tsconfig.base.json"];
    const found = [...folders].flatMap((folder) => names.map((name) => join(folder, name)));
    return [...found, join(root, "node_modules", ".package-lock.json")].filter((path) => existsSync(path));
  }
}

function stamps(paths: readonly string[]): Record<string, Stamp> {
  return Object.fromEntries(
    paths.flatMap((path) => {
      const stamp = stampOf(path);
      return stamp ? [[path, stamp]] : [];
    }),
  );
}
