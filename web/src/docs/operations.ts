import type { ApiOperation } from "../../../src/features/docs/wire.ts";
import { requiresAuth } from "../explorer/auth/schemes.ts";
import { type OpenApi, type Operation, operationsOf } from "../explorer/openapi/document.ts";

/** An operation of the list, with its part of the document. */
export interface ListedOperation extends ApiOperation {
  readonly described: Operation;
}

/** The operations of a document, as the list shows them. */
export function listOperations(document: OpenApi, version: string): ListedOperation[] {
  return [...operationsOf(document, version)].map(([route, described]) => {
    const [method = "", path = ""] = route.split(/ (.*)/s);
    const isProtected = requiresAuth(described);
    return {
      method,
      path,
      route,
      described,
      operation_id: described.operationId ?? "",
      summary: described.summary ?? "",
      tags: described.tags ?? [],
      deprecated: described.deprecated ?? false,
      auth_required: isProtected,
      auth: isProtected ? "any" : "none",
      documented: true,
    };
  });
}

/** Finds an operation by its ID, or by its route if it has none. */
export function findOperation(
  operations: readonly ListedOperation[],
  key: string,
): ListedOperation | undefined {
  return (
    operations.find(({ operation_id }) => operation_id === key) ??
    operations.find(({ route }) => route === key)
  );
}

/** The ID is shorter than the route, and stays the same when the path changes. */
export function keyOf({ operation_id, route }: ListedOperation): string {
  return operation_id || route;
}
