import { listDiagnostics, type ReportedDiagnostic } from "./diagnostics.ts";
import type { Docs } from "./docs.ts";
import { listOperations, type RoutedOperation, routeOf } from "./operations.ts";
import { authOf } from "./registry/endpoint.ts";
import type { SpecChange } from "./specs/change.ts";
import type { RoutedDiff, VersionDiff } from "./version-diff.ts";
import type { Asker } from "./versions/published.ts";
import type { Version } from "./versions/version.ts";
import type * as wire from "./wire.ts";

/** Response bodies for the dashboard's API page. JSON omits fields that are undefined. */

/** The limit of the list. The response always includes the total count. */
const maxDiagnostics = 500;

export async function toApiOverview(docs: Docs, asker: Asker): Promise<wire.ApiOverview> {
  const diagnostics = listDiagnostics(docs);
  return {
    default_version: docs.defaultVersion ?? "",
    versions: await Promise.all(docs.list().map((version) => toVersionOverview(docs, version, asker))),
    diagnostics: diagnostics.slice(0, maxDiagnostics).map(toDiagnostic),
    analysis: toAnalysis(docs, diagnostics.length),
  };
}

async function toVersionOverview(docs: Docs, version: Version, asker: Asker): Promise<wire.ApiVersion> {
  const { label, config, registry } = version;
  const isReading = docs.readingState === "reading";
  const document = isReading ? docs.builder.createNow(version, asker) : docs.builder.create(version, asker);
  const operations = listOperations(version, await document);
  return {
    version: label,
    title: config.title,
    description: config.description,
    status: config.status,
    sunset: config.sunset || undefined,
    enabled: config.enabled,
    public_swagger: config.publicSwagger,
    endpoints: registry.size,
    generated_from: docs.builder.originOf(version),
    operations: operations.map((each) => toOperation(each)),
  };
}

function toOperation({ endpoint, documented }: RoutedOperation): wire.ApiOperation {
  const {
    operationId = "",
    summary,
    description = "",
    tags = [],
    deprecated = false,
  } = documented?.operation ?? {};
  const auth = authOf(endpoint.notes());
  return {
    method: endpoint.method,
    path: endpoint.path,
    route: routeOf(endpoint),
    operation_id: operationId,
    summary: summary ?? description.split("\n", 1)[0]!,
    tags,
    deprecated,
    auth_required: auth !== "none",
    auth,
    documented: documented !== undefined,
  };
}

function toDiagnostic(diagnostic: ReportedDiagnostic): wire.Diagnostic {
  const { code, message, file, line, routes, version, handler, isUnread = false } = diagnostic;
  return { code, message, unread: isUnread, file, line, version, handler, routes };
}

function toAnalysis(docs: Docs, diagnostics: number): wire.AnalysisState {
  const { analysis } = docs.builder;
  const endpoints = docs.list().flatMap(({ registry }) => registry.list());
  return {
    state: docs.readingState,
    level: analysis?.level ?? "none",
    operations: endpoints.length,
    operations_read: endpoints.filter((endpoint) => analysis?.outlineOf(endpoint)).length,
    diagnostics,
  };
}

export function toDiffResponse(from: string, to: string, diff: VersionDiff): wire.VersionDiff {
  const { operations, schemas } = diff;
  // `schemas` lists the same changes by schema name, so counting both would count them twice.
  const all = operations.flatMap(({ changes }) => changes);
  return {
    from,
    to,
    changes: all.length,
    breaking: all.filter(({ isBreaking }) => isBreaking).length,
    operations: operations.map(toOperationDiff),
    schemas: schemas.map(({ kind, name, changes }) => ({ change: kind, name, ...toChanges(changes) })),
  };
}

function toOperationDiff(diff: RoutedDiff): wire.OperationDiff {
  const { kind, method, from, to, fromRoute, toRoute, changes } = diff;
  return {
    change: kind,
    method,
    path: (to ?? from)!,
    from_route: fromRoute,
    to_route: toRoute,
    ...toChanges(changes),
  };
}

function toChanges(changes: readonly SpecChange[]): Pick<wire.Difference, "breaking" | "changes"> {
  return {
    breaking: changes.some(({ isBreaking }) => isBreaking),
    changes: changes.map(({ message, isBreaking }) => ({ message, breaking: isBreaking })),
  };
}
