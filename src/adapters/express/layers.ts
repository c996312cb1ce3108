import { describeRegExp } from "../regexp-patterns.ts";
import { findVariable } from "../variables.ts";
import { isExpress, isRouter, type Layer, type PathKey, type Router, routerOf } from "./application.ts";

/** The paths that a router is mounted at. Version 5 has them only in the closures of its matchers. */
export function mountPatterns({ slash, matchers, regexp, keys = [] }: Layer): string[] {
  if (slash || regexp?.fast_slash) return [""];
  if (matchers) return matchers.flatMap(describeMatcher);
  return regexp ? describeRegExp(regexp, namesOf(keys)) : [""];
}

function describeMatcher(matcher: (path: string) => unknown): string[] {
  const regexp = findVariable(matcher, "regexp") ?? findVariable(matcher, "_path");
  const keys = findVariable(matcher, "keys");
  if (!(regexp instanceof RegExp)) return ["/…"];
  return describeRegExp(regexp, Array.isArray(keys) ? namesOf(keys) : []);
}

function namesOf(keys: readonly PathKey[]): string[] {
  return keys.map(({ name }) => String(name));
}

/** The router in a layer: a mounted router, or that of a mounted application. */
export function innerRouter({ handle }: Layer): Router | undefined {
  if (isRouter(handle)) return handle;
  if (typeof handle !== "function" || handle.name !== "mounted_app") return undefined;
  const application = findVariable(handle as () => unknown, "fn");
  return isExpress(application) ? routerOf(application) : undefined;
}
