import { breaking, breakingFirst, harmless, type SpecChange } from "./change.ts";
import { diffSchemas } from "./diff-schemas.ts";
import { deref, isObject, type Json, methodsOf, parametersOf } from "./walk.ts";

/** What became of one operation. */
export interface OperationDiff {
  readonly kind: "added" | "removed" | "changed";
  /** In upper case. */
  readonly method: string;
  /** As the old document has it, unless the operation is new. */
  readonly from?: string;
  /** As the new document has it, unless the operation is gone. */
  readonly to?: string;
  /** The breaking ones first. */
  readonly changes: readonly SpecChange[];
}

/** What changed from one document to another, in the order of the paths; the breaking changes of a place first. */
export function diffSpecs(before: Json, after: Json): SpecChange[] {
  return diffOperations(before, after).flatMap(({ changes }) => changes);
}

/** The same by operation. What has not changed is left out. */
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
  if (!one) return { kind: "added", method, to: other!.path, changes: [harmless(`${name} is new`)] };
  if (!other) return { kind: "removed", method, from: one.path, changes: [breaking(`${name} is gone`)] };
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
  /** Method and path, as people know it. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly document: Json;
  readonly item: Json;
  readonly operation: Json;
}

/** By method and path, where the names of path values do not matter. */
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
        isRequired
          ? breaking(`${place}: the ${name} is new and required`)
          : harmless(`${place}: the ${name} is new`),
      );
      continue;
    }
    if (parameter.required === true && before.required !== true) {
      changes.push(breaking(`${place}: the ${name} has become required`));
    }
    const where = `${place}: the ${name}`;
    changes.push(
      ...diffSchemas(where, "request", [one.document, before.schema], [other.document, parameter.schema]),
    );
  }
  for (const name of old.keys()) if (!next.has(name)) changes.push(breaking(`${place}: the ${name} is gone`));
  return changes;
}

function diffBodies(place: string, one: Place, other: Place): SpecChange[] {
  const bodyOf = ({ document, operation }: Place) => deref(document, operation.requestBody);
  const [old, next] = [bodyOf(one), bodyOf(other)];
  if (!isObject(next)) return isObject(old) ? [breaking(`${place}: the body is no longer read`)] : [];
  const isRequired = next.required === true;
  if (!isObject(old)) {
    return [
      isRequired ? breaking(`${place}: a body is required now`) : harmless(`${place}: a body is read now`),
    ];
  }
  const changes =
    isRequired && old.required !== true ? [breaking(`${place}: the body has become required`)] : [];
  return [
    ...changes,
    ...diffContent(`${place}: the body`, "request", [one.document, old], [other.document, next]),
  ];
}

function diffResponses(place: string, one: Place, other: Place): SpecChange[] {
  const responsesOf = ({ operation }: Place) => (isObject(operation.responses) ? operation.responses : {});
  const [old, next] = [responsesOf(one), responsesOf(other)];
  const changes: SpecChange[] = [];
  for (const [status, response] of Object.entries(next)) {
    const before = deref(one.document, old[status]);
    const after = deref(other.document, response);
    if (!isObject(before)) changes.push(harmless(`${place}: the answer ${status} is new`));
    else if (isObject(after)) {
      const where = `${place}: the answer ${status}`;
      changes.push(...diffContent(where, "response", [one.document, before], [other.document, after]));
    }
  }
  for (const status of Object.keys(old)) {
    if (status in next || isCovered(status, Object.keys(next))) continue;
    // Who no longer fails in a certain way does no harm.
    const report = /^[45]/.test(status) ? harmless : breaking;
    changes.push(report(`${place}: the answer ${status} is gone`));
  }
  return changes;
}

/** Whether a range takes the place of a status, or statuses that of a range. */
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
    if (!isObject(now)) return [breaking(`${where} is no longer ${type}`)];
    return diffSchemas(
      where,
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
      ? breaking(`${place} needs an identity now`)
      : harmless(`${place} needs no identity any more`),
  ];
}

function diffDeprecation(place: string, one: Place, other: Place): SpecChange[] {
  if (one.operation.deprecated === other.operation.deprecated) return [];
  return [
    harmless(
      `${place} is ${other.operation.deprecated === true ? "deprecated now" : "no longer deprecated"}`,
    ),
  ];
}
