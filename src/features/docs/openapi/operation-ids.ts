import type { EndpointData } from "../registry/endpoint.ts";

/** Names that bundlers and inline functions produce and that say nothing. */
const meaningless = /^(bound .*|handler|func|fn|default|anonymous|_*)$/;

/**
 * A name for each operation, unique in its version: the handler's name if only this operation has it, otherwise a name
 * made of method and path. It depends on the set of routes, not on their order, so generated clients keep their names.
 */
export function createOperationIds(
  endpoints: readonly EndpointData[],
  nameInSource: (endpoint: EndpointData) => string | undefined = () => undefined,
): Map<EndpointData, string> {
  const nameOf = (endpoint: EndpointData) =>
    usableName(nameInSource(endpoint)) ?? usableName(endpoint.handlerName);
  const uses = countBy(endpoints, nameOf);
  const wanted = (endpoint: EndpointData) => {
    const name = nameOf(endpoint);
    return name !== undefined && uses.get(name) === 1 ? name : spell(endpoint);
  };
  const ids = new Map<EndpointData, string>();
  const taken = new Set<string>();
  const sorted = endpoints.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  for (const endpoint of sorted) {
    const base = wanted(endpoint);
    let id = base;
    for (let count = 2; taken.has(id); count++) id = `${base}_${count}`;
    taken.add(id);
    ids.set(endpoint, id);
  }
  return ids;
}

export function usableName(name: string | undefined): string | undefined {
  if (name === undefined || meaningless.test(name)) return undefined;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : undefined;
}

function keyOf({ method, path }: EndpointData): string {
  return `${path} ${method}`;
}

/** `GET /api/v1/todos/{id}` becomes `getApiV1TodosById`. */
function spell({ method, path }: EndpointData): string {
  const words = path.split("/").map((segment) => {
    const name = /^\{(.*?)(\.\.\.)?\}$/.exec(segment)?.[1];
    return name === undefined ? capitalise(segment) : `By${capitalise(name)}`;
  });
  return method.toLowerCase() + words.join("");
}

function capitalise(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function countBy<T, K>(items: readonly T[], keyOfItem: (item: T) => K): Map<K, number> {
  const counts = new Map<K, number>();
  for (const item of items) counts.set(keyOfItem(item), (counts.get(keyOfItem(item)) ?? 0) + 1);
  return counts;
}
