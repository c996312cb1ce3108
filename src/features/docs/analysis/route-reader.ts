import { setImmediate as nextTurn } from "node:timers/promises";
import { type ReadRoute, readRoute } from "./analyze.ts";
import type { Interpreter } from "./flow/interpreter.ts";
import type { Reading } from "./handlers/find-handler.ts";
import type { Route } from "./handlers/route.ts";
import { isSameFunction } from "./handlers/same-function.ts";
import type { Closures } from "./source/closures.ts";
import type { Marks } from "./source/marks.ts";

export interface RouteReaderOptions {
  readonly machine: Interpreter;
  readonly marks: Marks;
  readonly closures: Closures;
  /** The files that the program has loaded, without those of packages. */
  readonly loaded: readonly string[];
  readonly program: LocatingProgram;
}

/** What only the running program knows about its handlers. */
export interface LocatingProgram {
  /** The routes with the places of their handlers in the source. */
  locate(keys: readonly string[]): Promise<readonly Route[]>;
  /** The text that runs in the place of a part of a file, if the program runs the file as it is but for its types. */
  textOf(file: string, start: number, end: number): string | undefined;
}

/** What happens between the steps of reading. */
export interface ReadingSteps {
  /** Called when the files of the routes are known, before the first handler is followed. */
  begin(): Promise<void>;
  /** Called with some routes while others are still to be read. */
  onRead(routes: readonly ReadRoute[]): void;
}

interface KnownRoute {
  readonly read: ReadRoute;
  readonly files: ReadonlySet<string>;
}

/** After this many routes, queries are sent and the thread handles messages. */
const routesPerBatch = 100;

/** Follows the handlers of routes. Those that no change concerns are not followed again. */
export class RouteReader {
  private readonly options: RouteReaderOptions;
  private known = new Map<string, KnownRoute>();
  private changed: ReadonlySet<string> = new Set();
  /** The files that were saved since the program began: it runs what they were before. */
  private readonly edited = new Set<string>();
  /** Whether no file has a mark, so that all handlers are read. */
  private readsAll = true;

  constructor(options: RouteReaderOptions) {
    this.options = options;
  }

  async read(routes: readonly Route[], steps: ReadingSteps): Promise<ReadRoute[]> {
    const { known, changed } = this;
    const reading = this.startReading(routes);
    await steps.begin();
    const isTraced = [...changed].every((path) => [...known.values()].some(({ files }) => files.has(path)));
    const keys = new Map(routes.map((route) => [route, JSON.stringify(route)]));
    const recall = (route: Route) => {
      const before = known.get(keys.get(route)!);
      const isSame = before?.read.handler && isTraced && before.files.isDisjointFrom(changed);
      return isSame ? before.read : undefined;
    };
    const some = await this.readThose(routes, reading, { recall, onRead: steps.onRead });
    const read = await this.readHidden(some, reading);
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

  forget(changed: ReadonlySet<string>): void {
    this.changed = changed;
    for (const path of changed) this.edited.add(path);
  }

  forgetAll(): void {
    this.known.clear();
  }

  private startReading(routes: readonly Route[]): Reading {
    const { loaded, marks, closures, program } = this.options;
    const registering = new Set(routes.flatMap(({ registered }) => registered?.file ?? []));
    const reachable = [...registering].map((path) => closures.of(path));
    const markedFile = marks.find(new Set([...loaded, ...reachable.flatMap((paths) => [...paths])]));
    if ((markedFile === undefined) !== this.readsAll) this.known.clear();
    this.readsAll = markedFile === undefined;
    return {
      markedFile,
      isRunning: (found, running, { registered }) => {
        const { path } = found.file;
        if (this.edited.has(path) || (registered && this.edited.has(registered.file))) return true;
        const { start, end } = found.node;
        return isSameFunction(found, running, program.textOf(path, start, end));
      },
    };
  }

  private async readThose(
    routes: readonly Route[],
    reading: Reading,
    { recall, onRead }: Pick<ReadingSteps, "onRead"> & { recall(route: Route): ReadRoute | undefined },
  ): Promise<ReadRoute[]> {
    const read: ReadRoute[] = [];
    for (let start = 0; start < routes.length; start += routesPerBatch) {
      const next = routes.slice(start, start + routesPerBatch);
      const some = next.map((route) => recall(route) ?? readRoute(this.options.machine, route, reading));
      read.push(...some);
      onRead(some);
      await nextTurn();
    }
    return read;
  }

  /** Asks the running program for the handlers that the source does not show. */
  private async readHidden(read: ReadRoute[], reading: Reading): Promise<ReadRoute[]> {
    const { program, machine } = this.options;
    const hidden = read.filter(({ isHidden }) => isHidden).map(({ route }) => route.key);
    if (hidden.length === 0) return read;
    const located = new Map((await program.locate(hidden)).map((route) => [route.key, route]));
    return read.map((each) => {
      const route = located.get(each.route.key);
      return each.isHidden && (route?.handler || route?.problem) ? readRoute(machine, route, reading) : each;
    });
  }

  /** The files that a change must be in to concern a route. */
  private filesOf({ route, handler }: ReadRoute): ReadonlySet<string> {
    const starts = [handler?.place.file, ...route.middleware.map(({ at }) => at.file)].filter(
      (path) => path !== undefined,
    );
    return new Set([
      ...(route.registered ? [route.registered.file] : []),
      ...starts.flatMap((path) => [...this.options.closures.of(path)]),
    ]);
  }
}
