import type { RequestEvent } from "../../../../src/index.ts";
import { raw } from "./parameters.ts";

export function integer(e: RequestEvent<never>, name: string): number | undefined {
  const value = raw(e, name);
  return value === undefined ? undefined : Number.parseInt(value, 10);
}

export const integerOr = (e: RequestEvent<never>, name: string, fallback: number): number => {
  return integer(e, name) ?? fallback;
};
