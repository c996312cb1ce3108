import { isObject, methodsOf, parametersOf, refsIn, resolveRef } from "./walk.ts";

/** The problems of a document, one phrase each; empty if it is valid OpenAPI 3.0 for client generators. */
export function validateDocument(document: unknown): string[] {
  if (!isObject(document)) return ["not an object"];
  if (typeof document.openapi !== "string" || !/^3\.0\.\d+$/.test(document.openapi)) {
    return [`openapi is ${JSON.stringify(document.openapi)}, but must be 3.0.3`];
  }
  return [...infoProblems(document.info), ...pathProblems(document), ...referenceProblems(document)];
}

function infoProblems(info: unknown): string[] {
  if (!isObject(info)) return ["info is missing"];
  return ["title", "version"].flatMap((name) =>
    typeof info[name] === "string" ? [] : [`info.${name} is missing or not a string`],
  );
}

function pathProblems(document: Record<string, unknown>): string[] {
  if (!isObject(document.paths)) return ["paths is missing"];
  const ids = new Map<string, string>();
  return Object.entries(document.paths).flatMap(([path, item]) => {
    if (!path.startsWith("/")) return [`the path "${path}" does not start with a slash`];
    if (!isObject(item)) return [`the path "${path}" is not an object`];
    return methodsOf(item).flatMap(([method, operation]) => {
      const place = `${method.toUpperCase()} ${path}`;
      return [
        ...operationProblems(document, place, path, item, operation),
        ...idProblems(ids, place, operation),
      ];
    });
  });
}

function operationProblems(
  document: Record<string, unknown>,
  place: string,
  path: string,
  item: Record<string, unknown>,
  operation: Record<string, unknown>,
): string[] {
  const problems: string[] = [];
  if (!isObject(operation.responses) || Object.keys(operation.responses).length === 0) {
    problems.push(`${place} has no responses`);
  }
  const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
  const declared = parametersOf(document, item, operation).filter((parameter) => parameter.in === "path");
  for (const name of named) {
    if (!declared.some((parameter) => parameter.name === name))
      problems.push(`${place} does not declare {${name}}`);
  }
  for (const { name } of declared) {
    if (!named.includes(String(name)))
      problems.push(`${place} declares {${name}}, which its path does not have`);
  }
  return problems;
}

function idProblems(
  ids: Map<string, string>,
  place: string,
  { operationId }: Record<string, unknown>,
): string[] {
  if (operationId === undefined) return [];
  const id = String(operationId);
  const other = ids.get(id);
  ids.set(id, place);
  return other === undefined ? [] : [`${place} and ${other} have the same operationId "${id}"`];
}

function referenceProblems(document: Record<string, unknown>): string[] {
  const unresolved = [...new Set(refsIn(document))].filter((ref) => resolveRef(document, ref) === undefined);
  return unresolved.map((ref) => `the reference "${ref}" cannot be resolved`);
}
