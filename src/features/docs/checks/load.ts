import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import type { FindProblems, ParameterSource, RouteCheck } from "../../../http/index.ts";
import { type ParameterKind, readText } from "./parameter-kind.ts";
import { toFieldProblems, type ValidationError } from "./problems.ts";

/** A validator as ajv compiles it. */
interface Validate {
  (value: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}

interface Field extends ParameterKind {
  readonly name: string;
  readonly in: "path" | "query";
}

interface CompiledRoute {
  readonly parameters?: { readonly fields: readonly Field[]; readonly validate: Validate };
  readonly body?: {
    readonly isRequired: boolean;
    readonly types: Readonly<Record<string, Validate | null>>;
  };
}

/** The compiled validators refer to small modules of these packages. */
const require = createRequire(import.meta.url);

/** Evaluates code written by `compileChecks`. Returns the checks by route: `POST /notes`. */
export function loadChecks(code: string, filename: string): Map<string, RouteCheck> {
  const exports: { routes?: Record<string, CompiledRoute> } = {};
  compileFunction(code, ["exports", "require"], { filename })(exports, require);
  return new Map(Object.entries(exports.routes ?? {}).map(([route, compiled]) => [route, toCheck(compiled)]));
}

function toCheck({ parameters, body }: CompiledRoute): RouteCheck {
  return {
    ...(parameters && { parameters: checkParameters(parameters) }),
    ...(body && {
      body: {
        isRequired: body.isRequired,
        types: new Map(
          Object.entries(body.types).map(([type, validate]) => [
            type,
            validate && checkValue(validate, type),
          ]),
        ),
      },
    }),
  };
}

function checkValue(validate: Validate, type: string): FindProblems {
  // In a form, the only objects are files.
  const isForm = type === "multipart/form-data";
  return (value) => {
    if (validate(value)) return undefined;
    return toFieldProblems(isForm ? validate.errors!.map(nameFile) : validate.errors!, "body");
  };
}

function nameFile(error: ValidationError): ValidationError {
  const isFile = error.keyword === "type" && error.params.type === "object" && error.instancePath !== "";
  return isFile ? { ...error, params: { type: "file" } } : error;
}

function checkParameters({
  fields,
  validate,
}: NonNullable<CompiledRoute["parameters"]>): FindProblems<ParameterSource> {
  return (source) => {
    const values: Record<string, unknown> = {};
    for (const field of fields) {
      const value = readField(source, field);
      if (value !== undefined) values[field.name] = value;
    }
    return validate(values) ? undefined : toFieldProblems(validate.errors!, "query");
  };
}

/** The first value counts, as for `e.query`. */
function readField(source: ParameterSource, { name, in: place, type, isList }: Field): unknown {
  if (isList) {
    const texts = source.queryAll(name);
    return texts.length === 0 ? undefined : texts.map((text) => readText(text, type));
  }
  const text = place === "path" ? source.pathValue(name) : source.query(name);
  return text === undefined ? undefined : readText(text, type);
}
