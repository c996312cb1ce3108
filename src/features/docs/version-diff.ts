import type { OpenAPIDocument, Operation } from "./model/openapi.ts";
import { pathInVersion } from "./openapi/places.ts";
import { listOperations, routeOf } from "./operations.ts";
import { diffOperations, type OperationDiff } from "./specs/diff.ts";
import { diffComponents, type SchemaDiff } from "./specs/diff-components.ts";
import type { Json } from "./specs/walk.ts";
import type { Version } from "./versions/version.ts";

export interface DescribedVersion {
  readonly version: Version;
  readonly document: OpenAPIDocument;
}

export interface VersionDiff {
  readonly operations: readonly RoutedDiff[];
  readonly schemas: readonly SchemaDiff[];
}

/** How an operation changed, with its old and new routes. */
export type RoutedDiff = OperationDiff & { readonly fromRoute?: string; readonly toRoute?: string };

/** All changes from one version to another, where `/api/v1/todos` and `/api/v2/todos` are the same operation. */
export function diffVersions(from: DescribedVersion, to: DescribedVersion): VersionDiff {
  const isDeprecated = [from, to].some(({ version }) => version.config.status === "deprecated");
  const [old, next] = [comparable(from, isDeprecated), comparable(to, isDeprecated)];
  const [oldRoutes, nextRoutes] = [routesOf(from), routesOf(to)];
  const operations = diffOperations(old, next).map((diff): RoutedDiff => {
    const fromRoute = diff.from && oldRoutes.get(`${diff.method} ${diff.from}`);
    const toRoute = diff.to && nextRoutes.get(`${diff.method} ${diff.to}`);
    return { ...diff, ...(fromRoute && { fromRoute }), ...(toRoute && { toRoute }) };
  });
  return { operations, schemas: diffComponents(old, next) };
}

/**
 * The document with paths relative to the version's prefix. If the whole version is deprecated, every operation is, and
 * listing that for each of them would hide the other changes.
 */
function comparable({ version, document }: DescribedVersion, hidesDeprecation: boolean): Json {
  const { prefix } = version;
  const paths = Object.entries(document.paths).map(([path, { servers: _, ...item }]) => [
    pathInVersion(document, prefix, path),
    hidesDeprecation ? mapValues(item, withoutDeprecation) : item,
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function withoutDeprecation({ deprecated: _, ...operation }: Operation): Operation {
  return operation;
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

function routesOf({ version, document }: DescribedVersion): Map<string, string> {
  const { prefix } = version;
  const entries = listOperations(version, document).flatMap(
    ({ endpoint, documented }): [string, string][] => {
      if (!documented) return [];
      const path = pathInVersion(document, prefix, documented.path);
      return [[`${endpoint.method} ${path}`, routeOf(endpoint)]];
    },
  );
  return new Map(entries);
}
