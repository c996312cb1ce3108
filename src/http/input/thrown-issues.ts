import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isError, readProperty } from "../../lib/thrown.ts";

/** The issues in an error that a validator threw. */
export interface ThrownIssues {
  readonly issues: readonly StandardSchemaV1.Issue[];
  /** The validated value, if the error contains it: the errors of valibot and arktype do, those of zod do not. */
  readonly root?: { readonly value: unknown } | undefined;
}

/**
 * The issues of an error that `schema.parse` or a similar function threw. `undefined` for other errors. Zod and valibot
 * store them in `issues`, arktype in `arkErrors`.
 */
export function readThrownIssues(thrown: unknown): ThrownIssues | undefined {
  if (!isError(thrown)) return undefined;
  try {
    const ark = readProperty(thrown, "arkErrors");
    if (Array.isArray(ark))
      return ark.every(isIssue) ? { issues: [...ark], root: arktypeRoot(ark) } : undefined;
    const issues = readProperty(thrown, "issues");
    if (!Array.isArray(issues) || issues.length === 0 || !issues.every(isIssue)) return undefined;
    return { issues, root: issues.map(valibotRoot).find((root) => root !== undefined) };
  } catch {
    // The properties of an error can be anything, and reading them may throw.
    return undefined;
  }
}

function isIssue(value: unknown): value is StandardSchemaV1.Issue {
  if (typeof value !== "object" || value === null) return false;
  const { message, path } = value as Partial<StandardSchemaV1.Issue>;
  return typeof message === "string" && (path === undefined || Array.isArray(path));
}

function arktypeRoot(errors: object): ThrownIssues["root"] {
  const { ctx } = errors as { ctx?: { root?: unknown } };
  return ctx && "root" in ctx ? { value: ctx.root } : undefined;
}

/** In valibot, each part of a path contains its object, and an issue without a path contains its value. */
function valibotRoot(issue: StandardSchemaV1.Issue): ThrownIssues["root"] {
  const { kind, input } = issue as { kind?: unknown; input?: unknown };
  if (typeof kind !== "string") return undefined;
  const [first] = issue.path ?? [];
  if (first === undefined) return { value: input };
  return typeof first === "object" && "input" in first ? { value: first.input } : undefined;
}
