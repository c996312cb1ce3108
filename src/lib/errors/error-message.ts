import { redacted } from "../redaction/sensitive-names.ts";
import { readProperty, toText } from "../thrown.ts";

/**
 * Reads the message of an error without the values that it contains because of the kind of error. Values that are
 * recognizable in the text alone are left to `redactText`.
 */
export function readMessage(error: object): string {
  const message = toText(readProperty(error, "message"));
  if (isGeneratedAssertion(error)) return message.split("\n", 1)[0]!;
  if (isDataException(error)) return message.replace(quoted, redacted);
  const issues = readProperty(error, "issues");
  return Array.isArray(issues) && message.startsWith("[") ? describeIssues(issues) : message;
}

/** The message of an assertion contains both values, after the first line. */
function isGeneratedAssertion(error: object): boolean {
  return readProperty(error, "code") === "ERR_ASSERTION" && readProperty(error, "generatedMessage") === true;
}

/** Class 22 of the SQL standard: the database rejected a value, and quotes it in the language of the server. */
function isDataException(error: object): boolean {
  const code = readProperty(error, "code");
  return typeof code === "string" && /^22[0-9A-Z]{3}$/.test(code);
}

const quoted = /["„“«»][\s\S]*["”“«»]/;

const maxIssues = 20;

/** The message of Zod is the JSON of its issues, which may contain the rejected values. */
function describeIssues(issues: readonly unknown[]): string {
  return issues.slice(0, maxIssues).map(describeIssue).join("; ");
}

function describeIssue(issue: unknown): string {
  if (typeof issue !== "object" || issue === null) return "";
  const path = readProperty(issue, "path");
  const message = toText(readProperty(issue, "message"));
  const field = Array.isArray(path) ? path.slice(0, maxIssues).map(String).join(".") : "";
  return field === "" ? message : `${field}: ${message}`;
}
