import { readVariable } from "../lib/node/inspection.ts";

/** A variable in the closure of a function. A library that is built differently must not make it fail. */
export function findVariable(func: (...args: never[]) => unknown, name: string): unknown {
  try {
    return readVariable(func, name);
  } catch {
    return undefined;
  }
}
