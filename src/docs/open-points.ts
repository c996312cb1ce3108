import type { Docs } from "./docs.ts";
import type { Diagnostic } from "./openapi/facts.ts";
import { routeOf } from "./operations.ts";

/** Something that the analysis could not resolve, with the version and the handler that it concerns. */
export interface OpenPoint extends Diagnostic {
  readonly routes: readonly string[];
  /** The version of them all. */
  readonly version?: string;
  /** The name of their handler, if they have one. */
  readonly handler?: string;
}

/** What the analysis could not resolve, in the order of files and lines. */
export function listOpenPoints(docs: Docs): OpenPoint[] {
  const { diagnostics = [] } = docs.press.analysis ?? {};
  if (diagnostics.length === 0) return [];
  const owners = new Map(
    docs
      .list()
      .flatMap(({ label, registry }) =>
        registry.list().map((endpoint) => [routeOf(endpoint), { version: label, endpoint }]),
      ),
  );
  return diagnostics.map((diagnostic) => {
    const { routes = [] } = diagnostic;
    const concerned = routes.flatMap((route) => owners.get(route) ?? []);
    const version = onlyOne(concerned.map((each) => each.version));
    const handler = onlyOne(concerned.map(({ endpoint }) => endpoint.handlerName));
    return {
      ...diagnostic,
      routes,
      ...(version !== undefined && { version }),
      ...(handler !== undefined && { handler }),
    };
  });
}

/** The value that all of them have. */
function onlyOne<T>(values: readonly T[]): T | undefined {
  const distinct = new Set(values);
  return distinct.size === 1 ? values[0] : undefined;
}
