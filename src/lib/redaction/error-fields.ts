import { types } from "node:util";
import { cut, isError, readProperty } from "../thrown.ts";
import { redactQuotedValues } from "./quoted-values.ts";

/**
 * Fields of errors that describe a failure without quoting the data of a request or a query. Other fields are not
 * logged: libraries attach whole queries, requests and clients to their errors, whose values have no sensitive names.
 */
const describing: readonly string[] = [
  "code",
  "status",
  "statusCode",
  "errno",
  "syscall",
  "address",
  "port",
  "host",
  "hostname",
  "path",
  "dest",
  "signal",
  "exitCode",
  "severity",
  "sqlState",
  "constraint",
  "schema",
  "table",
  "column",
  "dataType",
];

/**
 * Reads the fields of an error that may be logged: primitive values of the fields above, and any value of the fields in
 * `extra`.
 */
export function readErrorFields(error: object, extra: readonly string[]): Record<string, unknown> {
  return { ...readPrimitives(error, describing), ...readFields(error, extra) };
}

/**
 * Anything can be thrown, and libraries use objects as causes. Returns errors and primitive values unchanged, and of
 * any other object the fields that would be logged of an error.
 */
export function readThrown(thrown: unknown, extra: readonly string[]): unknown {
  if (typeof thrown !== "object" || thrown === null || types.isProxy(thrown)) return thrown;
  if (isError(thrown)) return thrown;
  const { message, ...name } = readPrimitives(thrown, ["name", "message"]);
  return {
    ...name,
    ...(message !== undefined && { message: redactMessage(message) }),
    ...readErrorFields(thrown, extra),
  };
}

function redactMessage(message: unknown): unknown {
  return typeof message === "string" ? redactQuotedValues(cut(message, longestMessage), true) : message;
}

const longestMessage = 8_192;

function readPrimitives(from: object, names: readonly string[]): Record<string, unknown> {
  const fields = readFields(from, names);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isPrimitive(value)));
}

function readFields(from: object, names: readonly string[]): Record<string, unknown> {
  const fields = names.map((name) => [name, readProperty(from, name)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function isPrimitive(value: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}
