import { defined } from "../../lib/defined.ts";
import type { Docs } from "./docs.ts";
import type { Diagnostic } from "./model/facts.ts";
import { routeOf } from "./operations.ts";

/** Something that the analysis could not resolve, with its version and handler. */
export interface ReportedDiagnostic extends Diagnostic {
  readonly routes: readonly string[];
  /** Set if all routes belong to the same version. */
  readonly version?: string;
  /** Set if all routes have the same handler and it has a name. */
  readonly handler?: string;
}

/** Everything that the analysis could not resolve, sorted by file and line. */
export function listDiagnostics(docs: Docs): ReportedDiagnostic[] {
  const { diagnostics = [] } = docs.builder.analysis ?? {};
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
    return defined({ ...diagnostic, routes, version, handler });
  });
}

/** The value that all have in common. */
function onlyOne<T>(values: readonly T[]): T | undefined {
  const distinct = new Set(values);
  return distinct.size === 1 ? values[0] : undefined;
}
