import type { Diagnostic, Findings, NamedSchema, OperationFacts } from "../model/facts.ts";
import { collectUsed } from "../openapi/components/names.ts";
import { listReferences } from "../openapi/components/walk.ts";
import { type HandlerRecord, toHandlerRecord } from "../openapi/found-code.ts";
import { createHandlerFacts, type HandlerFacts } from "./facts/handler-facts.ts";
import { nameMembers } from "./facts/member-names.ts";
import { type DescribedRoute, describeRoute, type Places } from "./facts/operation-facts.ts";
import type { TypeFacts } from "./facts/type-facts.ts";
import { type Interpreter, TooLarge } from "./flow/interpreter.ts";
import { isOf } from "./flow/statements/catching.ts";
import type { Summary } from "./flow/summaries.ts";
import { mentionsDenial } from "./flow/values/denials.ts";
import { type Effects, thrownBehind } from "./flow/values/effects.ts";
import { findHandler, functionFrom, type Reading } from "./handlers/find-handler.ts";
import type { Route } from "./handlers/route.ts";
import type { RawComponent, TypeFact, TypeQuery } from "./types/query.ts";

/** The syntax analysis of one route. */
export interface ReadRoute {
  readonly route: Route;
  readonly handler: HandlerFacts | undefined;
  readonly problems: readonly Diagnostic[];
  /** Whether the running program must be queried for the handler's location. */
  readonly isHidden: boolean;
}

/** Reads the source of a route's handler and middleware. A failure does not affect other routes. */
export function readRoute(machine: Interpreter, route: Route, reading: Reading): ReadRoute {
  try {
    const found = findHandler(machine, route, reading);
    if ("problem" in found)
      return { route, handler: undefined, problems: [found.problem], isHidden: found.isHidden ?? false };
    const joined = wrap(machine, route, reading, machine.follow(found.handler, route.method));
    return { route, handler: createHandlerFacts(found, joined), problems: [], isHidden: false };
  } catch (error) {
    return { route, handler: undefined, problems: [givenUp(route, error)], isHidden: false };
  }
}

/**
 * Adds the effects of the middleware to the handler's, from the inside out. Middleware that catches errors removes
 * them.
 */
function wrap(machine: Interpreter, route: Route, reading: Reading, handler: Summary): Summary {
  return route.middleware.toReversed().reduce((inner, { at, text }) => {
    const func = functionFrom(machine, at);
    return func && reading.isRunning(func, { text }, route)
      ? wrapOne(machine.follow(func, route.method).effects, inner)
      : inner;
  }, handler);
}

function wrapOne(outer: Effects, { effects: inner, ...rest }: Summary): Summary {
  const isBehind = ({ error }: Effects["throws"][number]) => error === thrownBehind;
  const behind = outer.throws.filter(isBehind);
  const catches = outer.passesOn && behind.length === 0;
  const isLetThrough = ({ error }: Effects["throws"][number]) =>
    behind.some(({ handled = [] }) => !handled.some((of) => isOf(error.classes, of)));
  // An error of the handler may leave the middleware as 401 or 403.
  const guards = catches && mentionsDenial(outer);
  // The middleware may store what it read for the handler, which then denies access because of it.
  const isRead = outer.passesOn && mentionsDenial(inner);
  return {
    ...rest,
    effects: {
      reads: [
        ...outer.reads,
        ...inner.reads.map((read) => (guards ? { ...read, guardsAccess: true } : read)),
      ],
      bodies: [
        ...outer.bodies.map((body) => ({ ...body, guardsAccess: body.guardsAccess || isRead })),
        ...inner.bodies.map((body) => ({
          ...body,
          isCaught: body.isCaught || catches,
          guardsAccess: body.guardsAccess || guards,
        })),
      ],
      uses: [],
      responses: [
        ...outer.responses,
        ...inner.responses.map((response) => ({
          ...response,
          headers: [...outer.headers, ...response.headers],
        })),
      ],
      headers: [...outer.headers, ...inner.headers],
      queries: [
        ...outer.queries.map((query) => ({ ...query, guardsAccess: query.guardsAccess || isRead })),
        ...inner.queries.map((query) => ({
          ...query,
          isCaught: query.isCaught || catches,
          guardsAccess: query.guardsAccess || guards,
        })),
      ],
      throws: [
        ...outer.throws.filter((each) => !isBehind(each)),
        ...(outer.passesOn ? inner.throws.filter(isLetThrough) : inner.throws),
      ],
      problems: [...outer.problems, ...inner.problems],
      passesOn: inner.passesOn,
    },
  };
}

function givenUp({ registered }: Route, error: unknown): Diagnostic {
  const isLarge = error instanceof TooLarge || error instanceof RangeError;
  return {
    code: isLarge ? "HANDLER_TOO_LARGE" : "ANALYSIS_FAILED",
    message: isLarge
      ? "The handler and the functions that it calls are too large to analyze, so only the route is documented. Split the handler."
      : `The analysis failed on this handler, so only the route is documented. This is a bug in Annex; please report it: ${(error as Error).message}`,
    isUnread: true,
    ...(registered && { file: registered.file, line: registered.line }),
  };
}

/** The input of the documents, as data. */
export type AnalysisData = Omit<Findings, "level">;

/** Combines the syntax analysis with the known types. Unchanged routes are not described again. */
export class Describer {
  private readonly places: Places;
  private readonly references = new WeakMap<object, readonly string[]>();
  private readonly described = new WeakMap<ReadRoute, { asked: readonly Asked[]; route: DescribedRoute }>();

  constructor(places: Places) {
    this.places = places;
  }

  describe(
    routes: readonly ReadRoute[],
    types: TypeFacts,
    components: Readonly<Record<string, RawComponent>>,
  ): AnalysisData {
    const facts: Record<string, OperationFacts> = {};
    const handlers: Record<string, HandlerRecord> = {};
    const inline: Record<string, RawComponent> = {};
    const diagnostics: Diagnostic[] = [];
    for (const read of routes) {
      const { route, handler } = read;
      const report = (problems: readonly Diagnostic[]) =>
        void diagnostics.push(...problems.map((each) => ({ ...each, routes: [nameOf(route)] })));
      report(read.problems);
      if (!handler) continue;
      const described = this.describeOne(read, handler, types, components);
      facts[route.key] = described.facts;
      Object.assign(inline, described.components);
      report(described.problems);
      const name = handler.name ?? nameOf(route);
      const record = toHandlerRecord(handler.name, described.facts);
      handlers[isOther(handlers[name], record) ? `${name} at ${record.source}` : name] = record;
    }
    const used = this.pickUsed(Object.values(facts), { ...components, ...inline });
    const schemas = withSources(nameMembers(used), this.places);
    return { facts, schemas, handlers, diagnostics: distinct(diagnostics, this.places) };
  }

  /** The components that these facts refer to, directly or indirectly. */
  private pickUsed(
    facts: readonly OperationFacts[],
    components: Readonly<Record<string, RawComponent>>,
  ): Record<string, RawComponent> {
    const references = facts.flatMap((each) => this.referencesIn(each));
    const { used } = collectUsed(references, components, ({ schema }) => this.referencesIn(schema));
    return Object.fromEntries([...used].map((identity) => [identity, components[identity]!]));
  }

  private referencesIn(value: object): readonly string[] {
    const found = this.references.get(value) ?? listReferences(value);
    this.references.set(value, found);
    return found;
  }

  /** The previous result, if the types of all its queries are unchanged. */
  private describeOne(
    read: ReadRoute,
    handler: HandlerFacts,
    types: TypeFacts,
    components: Readonly<Record<string, RawComponent>>,
  ): DescribedRoute {
    const before = this.described.get(read);
    if (before && types.isKnown && before.asked.every(([query, fact]) => types.of(query) === fact))
      return before.route;
    const asked: Asked[] = [];
    const noted: TypeFacts = {
      isKnown: types.isKnown,
      of(query) {
        const fact = types.of(query);
        asked.push([query, fact]);
        return fact;
      },
    };
    const route = describeRoute(read.route, handler, noted, this.places, (identity) => components[identity]);
    if (types.isKnown) this.described.set(read, { asked, route });
    return route;
  }
}

type Asked = readonly [query: TypeQuery, fact: TypeFact | undefined];

function withSources(
  components: Readonly<Record<string, RawComponent>>,
  places: Places,
): Record<string, NamedSchema> {
  const entries = Object.entries(components);
  return Object.fromEntries(
    entries.map(([identity, each]) => [identity, { ...each, source: places.show(each.file, each.line) }]),
  );
}

/** Whether this is a different handler with the same name. */
function isOther(known: HandlerRecord | undefined, { source }: HandlerRecord): boolean {
  return known !== undefined && known.source !== source;
}

/** Without duplicates, sorted by file and line, with displayable paths. */
function distinct(diagnostics: readonly Diagnostic[], places: Places): Diagnostic[] {
  const shown = diagnostics.map((each) => ({
    ...each,
    ...(each.file && { file: places.show(each.file, 0).replace(/:0$/, "") }),
  }));
  const unique = Map.groupBy(shown, ({ file, line, code, message }) => `${file}:${line} ${code} ${message}`);
  return [...unique.values()]
    .map(joinRoutes)
    .sort(
      (one, other) =>
        (one.file ?? "").localeCompare(other.file ?? "") ||
        (one.line ?? 0) - (other.line ?? 0) ||
        one.code.localeCompare(other.code),
    );
}

function joinRoutes(same: readonly Diagnostic[]): Diagnostic {
  return {
    ...same[0]!,
    routes: [...new Set(same.flatMap(({ routes = [] }) => routes))],
    // Of these routes, some may be checked and others not.
    ...(same.some(({ preventsCheck }) => preventsCheck) && { preventsCheck: true }),
  };
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
