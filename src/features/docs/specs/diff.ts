import { breaking, breakingFirst, harmless, type SpecChange } from "./change.ts";
import { diffSchemas, requestBody } from "./diff-schemas.ts";
import { deref, isObject, type Json, methodsOf, parametersOf } from "./walk.ts";

/** How one operation changed. */
export interface OperationDiff {
  readonly kind: "added" | "removed" | "changed";
  /** In upper case. */
  readonly method: string;
  /** The path in the old document, unless the operation is new. */
  readonly from?: string;
  /** The path in the new document, unless the operation was removed. */
  readonly to?: string;
  /** Breaking changes first. */
  readonly changes: readonly SpecChange[];
}

/** All changes from one document to another, in the order of the paths. Breaking changes of an operation come first. */
export function diffSpecs(before: Json, after: Json): SpecChange[] {
  return diffOperations(before, after).flatMap(({ changes }) => changes);
}

/** The same, grouped by operation. Unchanged operations are omitted. */
export function diffOperations(before: Json, after: Json): OperationDiff[] {
  const old = operationsOf(before);
  const next = operationsOf(after);
  const places = [...new Set([...old.keys(), ...next.keys()])].sort();
  return places
    .map((key) => diffOperation(old.get(key), next.get(key)))
    .filter(({ changes }) => changes.length > 0);
}

function diffOperation(one: Place | undefined, other: Place | undefined): OperationDiff {
  const { name, method } = (other ?? one)!;
  if (!one) return { kind: "added", method, to: other!.path, changes: [harmless(`${name} added`)] };
  if (!other) return { kind: "removed", method, from: one.path, changes: [breaking(`${name} removed`)] };
  const changes = [
    ...diffParameters(name, one, other),
    ...diffBodies(name, one, other),
    ...diffResponses(name, one, other),
    ...diffSecurity(name, one, other),
    ...diffDeprecation(name, one, other),
  ];
  return { kind: "changed", method, from: one.path, to: other.path, changes: changes.sort(breakingFirst) };
}

interface Place {
  /** Method and path. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly document: Json;
  readonly item: Json;
  readonly operation: Json;
}

/** By method and path, ignoring the names of path parameters. */
function operationsOf(document: Json): Map<string, Place> {
  const paths = isObject(document.paths) ? document.paths : {};
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    isObject(item)
      ? methodsOf(item).map(([name, operation]): [string, Place] => {
          const method = name.toUpperCase();
          const place = { name: `${method} ${path}`, method, path, document, item, operation };
          return [`${method} ${path.replace(/\{[^}]*\}/g, "{}")}`, place];
        })
      : [],
  );
  return new Map(entries);
}

function diffParameters(place: string, one: Place, other: Place): SpecChange[] {
  const keyed = ({ document, item, operation }: Place) => {
    const asked = parametersOf(document, item, operation).filter((parameter) => parameter.in !== "path");
    return new Map(asked.map((parameter) => [`${parameter.in} parameter "${parameter.name}"`, parameter]));
  };
  const [old, next] = [keyed(one), keyed(other)];
  const changes: SpecChange[] = [];
  for (const [name, parameter] of next) {
    const before = old.get(name);
    if (!before) {
      const isRequired = parameter.required === true;
      changes.push(
        isRequired ? breaking(`${place}: ${name} added and required`) : harmless(`${place}: ${name} added`),
      );
      continue;
    }
    if (parameter.required === true && before.required !== true) {
      changes.push(breaking(`${place}: ${name} is now required`));
    }
    const subject = { name: `${place}: ${name}` };
    changes.push(
      ...diffSchemas(subject, "request", [one.document, before.schema], [other.document, parameter.schema]),
    );
  }
  for (const name of old.keys()) if (!next.has(name)) changes.push(breaking(`${place}: ${name} removed`));
  return changes;
}

function diffBodies(place: string, one: Place, other: Place): SpecChange[] {
  const bodyOf = ({ document, operation }: Place) => deref(document, operation.requestBody);
  const [old, next] = [bodyOf(one), bodyOf(other)];
  if (!isObject(next)) return isObject(old) ? [breaking(`${place}: ${requestBody} is no longer read`)] : [];
  const isRequired = next.required === true;
  if (!isObject(old)) {
    return [
      isRequired
        ? breaking(`${place}: ${requestBody} added and required`)
        : harmless(`${place}: ${requestBody} added`),
    ];
  }
  const changes =
    isRequired && old.required !== true ? [breaking(`${place}: ${requestBody} is now required`)] : [];
  return [
    ...changes,
    ...diffContent(`${place}: ${requestBody}`, "request", [one.document, old], [other.document, next]),
  ];
}

function diffResponses(place: string, one: Place, other: Place): SpecChange[] {
  const responsesOf = ({ operation }: Place) => (isObject(operation.responses) ? operation.responses : {});
  const [old, next] = [responsesOf(one), responsesOf(other)];
  const changes: SpecChange[] = [];
  for (const [status, response] of Object.entries(next)) {
    const before = deref(one.document, old[status]);
    const after = deref(other.document, response);
    if (!isObject(before)) changes.push(harmless(`${place}: response ${status} added`));
    else if (isObject(after)) {
      const where = `${place}: response ${status}`;
      changes.push(...diffContent(where, "response", [one.document, before], [other.document, after]));
    }
  }
  for (const status of Object.keys(old)) {
    if (status in next || isCovered(status, Object.keys(next))) continue;
    // Removing an error status does not break clients.
    const report = /^[45]/.test(status) ? harmless : breaking;
    changes.push(report(`${place}: response ${status} removed`));
  }
  return changes;
}

/** Whether a range replaces a status, or statuses replace a range. */
function isCovered(status: string, others: string[]): boolean {
  return others.some((other) => other[0] === status[0] && (/XX$/i.test(other) || /XX$/i.test(status)));
}

function diffContent(
  where: string,
  side: "request" | "response",
  [before, one]: [Json, Json],
  [after, other]: [Json, Json],
): SpecChange[] {
  const contentOf = (holder: Json) => (isObject(holder.content) ? holder.content : {});
  const [old, next] = [contentOf(one), contentOf(other)];
  return Object.entries(old).flatMap(([type, media]) => {
    const now = next[type];
    if (!isObject(now)) return [breaking(`${where} no longer supports ${type}`)];
    return diffSchemas(
      { name: where },
      side,
      [before, isObject(media) ? media.schema : undefined],
      [after, now.schema],
    );
  });
}

function diffSecurity(place: string, one: Place, other: Place): SpecChange[] {
  const needs = ({ operation }: Place) => Array.isArray(operation.security) && operation.security.length > 0;
  if (needs(one) === needs(other)) return [];
  return [
    needs(other)
      ? breaking(`${place} now requires authentication`)
      : harmless(`${place} no longer requires authentication`),
  ];
}

function diffDeprecation(place: string, one: Place, other: Place): SpecChange[] {
  if (one.operation.deprecated === other.operation.deprecated) return [];
  return [
    harmless(
      `${place} is ${other.operation.deprecated === true ? "now deprecated" : "no longer deprecated"}`,
    ),
  ];
}
