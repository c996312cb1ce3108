import type { FieldProblem } from "../../../lib/errors/errors.ts";

/** An error of a compiled validator, as far as it is used here. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A large body can have an error for every item. */
const mostProblems = 100;

/** The first problem of each field. `whole` is the name of the value itself. */
export function toFieldProblems(
  errors: readonly ValidationError[],
  whole: string,
): Record<string, FieldProblem> {
  const problems: Record<string, FieldProblem> = Object.create(null);
  const unions = new Set(errors.filter(isOfUnion).map(({ instancePath }) => instancePath));
  let count = 0;
  for (const error of errors) {
    // The errors of each alternative of a union would contradict each other.
    if (error.keyword === "if" || isInside(error, unions)) continue;
    const field = toField(error) || whole;
    if (problems[field]) continue;
    problems[field] = describe(error);
    if (++count === mostProblems) break;
  }
  return problems;
}

const isOfUnion = ({ keyword }: ValidationError) => keyword === "anyOf" || keyword === "oneOf";

function isInside(error: ValidationError, unions: ReadonlySet<string>): boolean {
  if (unions.size === 0) return false;
  const { instancePath } = error;
  if (unions.has(instancePath) && !isOfUnion(error)) return true;
  for (let end = instancePath.lastIndexOf("/"); end >= 0; end = instancePath.lastIndexOf("/", end - 1)) {
    if (unions.has(instancePath.slice(0, end))) return true;
    if (end === 0) break;
  }
  return false;
}

/** `/items/0/name` as `items.0.name`. A missing field is reported at its own path. */
function toField({ instancePath, params }: ValidationError): string {
  const inner = params.missingProperty ?? params.additionalProperty ?? params.tag;
  const parts = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return [...parts, ...(inner === undefined ? [] : [String(inner)])].join(".");
}

function describe({ keyword, message = "is invalid", params }: ValidationError): FieldProblem {
  const invalid = (text: string) => ({ code: "invalid", message: `${text}.` });
  switch (keyword) {
    case "required":
      return { code: "required", message: "Required." };
    case "type":
      return invalid(`Must be ${[params.type].flat().map(withArticle).join(" or ")}`);
    case "enum":
      return invalid(`Must be one of: ${(params.allowedValues as unknown[]).map(show).join(", ")}`);
    case "discriminator":
      return invalid("Must be one of the allowed values");
    case "anyOf":
    case "oneOf":
      return invalid("Must match one of the allowed types");
    default:
      return invalid(message[0]!.toUpperCase() + message.slice(1));
  }
}

const show = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function withArticle(type: unknown): string {
  if (type === "null") return "null";
  return /^[aio]/.test(String(type)) ? `an ${type}` : `a ${type}`;
}
