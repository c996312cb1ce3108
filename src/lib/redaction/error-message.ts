import { readProperty, toText } from "../thrown.ts";
import { redacted } from "./sensitive-names.ts";

/**
 * Reads the message of an error without the values that it contains because of the kind of error. Values that are
 * recognizable in the text alone are left to `redactText`.
 */
export function readMessage(error: object): string {
  const message = toText(readProperty(error, "message"));
  if (isGeneratedAssertion(error)) return describeAssertion(message, readProperty(error, "operator"));
  return isDataException(error) ? message.replace(quoted, redacted) : message;
}

/** The message of an assertion contains both values, usually after the first line. */
function describeAssertion(message: string, operator: unknown): string {
  const first = message.split("\n", 1)[0]!;
  return first.endsWith(":")
    ? `${first} ${redacted}`
    : `The assertion "${toText(operator)}" failed: ${redacted}`;
}

function isGeneratedAssertion(error: object): boolean {
  return readProperty(error, "code") === "ERR_ASSERTION" && readProperty(error, "generatedMessage") === true;
}

/** Class 22 of the SQL standard: the database rejected a value, and quotes it in the language of the server. */
function isDataException(error: object): boolean {
  const code = readProperty(error, "code");
  return typeof code === "string" && /^22[0-9A-Z]{3}$/.test(code);
}

const quoted = /["„“«»][\s\S]*["”“«»]/;
