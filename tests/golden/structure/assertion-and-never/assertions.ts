import { ApiError, type RequestEvent } from "../../../../src/index.ts";

export function fail(status: number, message: string): never {
  throw new ApiError(status, message);
}

export function assertFound<T>(value: T | null | undefined, what: string): asserts value is T {
  if (value === undefined || value === null) fail(404, `The ${what} was not found.`);
}

export function requiredInteger(e: RequestEvent, name: string, least: number, most: number): number {
  const value = Number(e.query(name));
  if (!Number.isInteger(value) || value < least || value > most) {
    fail(400, `${name} must be a whole number from ${least} to ${most}.`);
  }
  return value;
}
