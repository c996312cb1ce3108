/** Access to documents whose content has not been validated. */
import { operationMethods } from "../model/methods.ts";

export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function methodsOf(item: Json): [method: string, operation: Json][] {
  return operationMethods.flatMap((method) => {
    const operation = item[method];
    return isObject(operation) ? [[method, operation] as [string, Json]] : [];
  });
}

/** The resolved parameters of an operation, including those of its path. */
export function parametersOf(document: Json, item: Json, operation: Json): Json[] {
  const lists = [item.parameters, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
  return lists.map((parameter) => deref(document, parameter)).filter(isObject);
}

/** The value itself, or the target of its reference. */
export function deref(document: Json, value: unknown): unknown {
  let at = value;
  for (let depth = 0; isObject(at) && typeof at.$ref === "string" && depth < 20; depth++)
    at = resolveRef(document, at.$ref);
  return at;
}

export function resolveRef(document: Json, ref: string): unknown {
  if (!ref.startsWith("#/")) return undefined;
  return ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, key) => (isObject(at) ? at[decodeKey(key)] : undefined), document);
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return key;
  }
}

export function* refsIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$ref" && typeof inner === "string") yield inner;
    else yield* refsIn(inner);
  }
}
