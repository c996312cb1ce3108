import type { CacheContent, KeptFact } from "./cache.ts";
import { queryKey, type TypeFacts } from "./facts/type-facts.ts";
import type {
  RawComponent,
  TypeEngine,
  TypeEngineOptions,
  TypeFact,
  TypeQuery,
  TypeResults,
} from "./types/query.ts";

/** A compiler in this thread or in another one. */
export interface ProjectEngine extends Omit<TypeEngine, "ask" | "close"> {
  ask(queries: readonly TypeQuery[]): TypeResults | Promise<TypeResults>;
  close(): void | Promise<void>;
}

interface Options {
  readonly root: string;
  readonly openEngine: (options: TypeEngineOptions) => ProjectEngine;
  /** Changes whenever a file changes on which results for this file depend. */
  readonly digestOf: (file: string) => string;
  readonly remembered: Pick<CacheContent, "types" | "components"> | undefined;
}

/** The number of queries in one message. */
const queriesPerBatch = 500;

/** Queries the compiler and stores the results. */
export class TypeQuestions implements TypeFacts {
  readonly isKnown = true;
  readonly components: Record<string, RawComponent>;
  private readonly options: Options;
  private readonly facts: Map<string, KeptFact>;
  private engine: ProjectEngine | undefined;
  private secrets: readonly string[] = [];
  private isClosed = false;
  private asked = new Set<string>();
  private awaited: Promise<void>[] = [];
  private used = new Set<string>();

  constructor(options: Options) {
    this.options = options;
    this.facts = new Map(Object.entries(options.remembered?.types ?? {}));
    this.components = { ...options.remembered?.components };
  }

  /** A stored result, if nothing that it depends on has changed. */
  of(query: TypeQuery): TypeFact | undefined {
    const key = queryKey(query);
    const kept = this.facts.get(key);
    if (kept?.closure !== this.options.digestOf(query.file)) return undefined;
    this.used.add(key);
    return kept.fact;
  }

  /** Results that are used from now on are stored. */
  begin(): void {
    this.asked = new Set();
    this.awaited = [];
    this.used = new Set();
  }

  /** Starts the compiler, which takes a while, with the project of these files. */
  prepare(files: readonly string[]): void {
    try {
      this.open(files);
    } catch {
      // The first query reports the reason.
    }
  }

  /** Sends queries that were not sent since `begin`. */
  ask(queries: readonly TypeQuery[]): void {
    const distinct = new Map(queries.map((query) => [queryKey(query), query]));
    const others = [...distinct].filter(([key]) => !this.asked.has(key)).map(([, query]) => query);
    for (const key of distinct.keys()) this.asked.add(key);
    for (let start = 0; start < others.length; start += queriesPerBatch) {
      const reading = this.readFacts(others.slice(start, start + queriesPerBatch));
      // Reported when it is awaited.
      reading.catch(() => {});
      this.awaited.push(reading);
    }
  }

  get isWaiting(): boolean {
    return this.awaited.length > 0;
  }

  /** The pending queries. They are rejected if the compiler has exited. */
  takeAwaited(): Promise<void>[] {
    return this.awaited.splice(0);
  }

  add(query: TypeQuery, fact: TypeFact): void {
    this.facts.set(queryKey(query), { fact, closure: this.options.digestOf(query.file) });
  }

  /** Sets the texts that no result may contain. Results from before are discarded. */
  async conceal(secrets: readonly string[]): Promise<void> {
    if (new Set(secrets).symmetricDifference(new Set(this.secrets)).size === 0) return;
    this.secrets = secrets;
    this.engine?.conceal(secrets);
    await Promise.allSettled(this.takeAwaited());
    for (const key of this.asked) this.facts.delete(key);
    this.asked.clear();
  }

  refresh(changed: readonly string[]): void {
    try {
      this.engine?.refresh(changed);
    } catch {
      void this.closeEngine();
    }
  }

  forgetAll(): void {
    void this.closeEngine();
    this.facts.clear();
    for (const identity of Object.keys(this.components)) delete this.components[identity];
  }

  /** The compiler is a process of its own, and large. */
  async closeEngine(): Promise<void> {
    const { engine } = this;
    this.engine = undefined;
    try {
      await engine?.close();
    } catch {
      // The compiler may have exited already.
    }
  }

  /** No compiler is started any more. */
  close(): Promise<void> {
    this.isClosed = true;
    return this.closeEngine();
  }

  /** The results in use, except those of some queries. */
  toStore(except: ReadonlySet<string>): Pick<CacheContent, "types" | "components"> {
    const kept = [...this.facts].filter(([key]) => this.used.has(key) && !except.has(key));
    const named = new Set(kept.flatMap(([, { fact }]) => fact.components));
    const components = Object.entries(this.components).filter(([identity]) => named.has(identity));
    return { types: Object.fromEntries(kept), components: Object.fromEntries(components) };
  }

  private open(files: readonly string[]): ProjectEngine {
    if (this.isClosed) throw new Error("The analysis has ended.");
    const { root, openEngine } = this.options;
    this.engine ??= openEngine({ root, files, secrets: this.secrets });
    return this.engine;
  }

  private async readFacts(queries: readonly TypeQuery[]): Promise<void> {
    const engine = this.open(queries.map(({ file }) => file));
    const { facts, components } = await engine.ask(queries);
    Object.assign(this.components, components);
    queries.forEach((query, index) => {
      this.add(query, facts[index]!);
    });
  }
}
