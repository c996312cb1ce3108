import { _, Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { Findings } from "../model/facts.ts";
import type { Parameter, Schema } from "../model/openapi.ts";
import { type CheckedInput, findCheckedInput, isParsed } from "../openapi/checked-input.ts";
import { listParameters } from "../openapi/operation.ts";
import type { EndpointData } from "../registry/endpoint.ts";
import { type Conversion, type JsonSchema, toJsonSchema } from "./json-schema.ts";
import { kindOf, type ParameterKind } from "./parameter-kind.ts";

/**
 * Compiles the validators of checked routes. The result is a CommonJS module without its own imports: `loadChecks`
 * evaluates it, so production does not load the compiler of the validators.
 */
export function compileChecks(endpoints: readonly EndpointData[], findings: Findings): string {
  const validators = new Validators(findings);
  const routes = endpoints.flatMap((endpoint) => {
    const facts = (endpoint.key !== undefined && findings.facts[endpoint.key]) || {};
    const input = findCheckedInput(endpoint, facts, listParameters(endpoint, facts));
    const entry = input ? describeInput(input, validators) : "{}";
    return `${JSON.stringify(`${endpoint.method} ${endpoint.path}`)}: ${entry}`;
  });
  return `${validators.toCode()}\nexports.routes = {\n${routes.join(",\n")}\n};\n`;
}

/** The code of one route's entry. */
function describeInput({ parameters, body }: CheckedInput, validators: Validators): string {
  const parts = [];
  const checked = parameters.flatMap((parameter) => {
    const kind = validators.kindOf(parameter);
    return kind ? [{ parameter, kind }] : [];
  });
  if (checked.length > 0) {
    const fields = checked.map(({ parameter: { name, in: place }, kind }) => ({ name, in: place, ...kind }));
    const validate = validators.add(parametersSchema(checked.map(({ parameter }) => parameter)), false);
    parts.push(`parameters: { fields: ${JSON.stringify(fields)}, validate: ${validate} }`);
  }
  if (body) {
    const types = Object.entries(body.content).map(([type, { schema }]) => {
      const isForm = type === "multipart/form-data";
      return `${JSON.stringify(type)}: ${isParsed(type) ? validators.add(schema, isForm) : "null"}`;
    });
    parts.push(`body: { isRequired: ${body.required === true}, types: { ${types.join(", ")} } }`);
  }
  return `{ ${parts.join(", ")} }`;
}

function parametersSchema(parameters: readonly Parameter[]): Schema {
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
}

/** The schemas of all routes. Shared components are compiled once. */
class Validators {
  private readonly findings: Findings;
  private readonly schemas: JsonSchema[] = [];
  /** The names of validators, by their schema. */
  private readonly names = new Map<string, string>();
  /** The definitions, by reference. Those of forms are separate, because they contain files. */
  private readonly definitions = new Map<string, { name: string; schema: JsonSchema | undefined }>();

  constructor(findings: Findings) {
    this.findings = findings;
  }

  kindOf({ schema }: Parameter): ParameterKind | undefined {
    return kindOf(schema, (identity) => this.findings.schemas[identity]?.schema);
  }

  /** Returns the code of the validator. */
  add(schema: Schema, isForm: boolean): string {
    const key = `${isForm} ${JSON.stringify(schema)}`;
    const known = this.names.get(key);
    if (known) return known;
    const $id = `check${this.schemas.length}`;
    this.schemas.push({ $id, ...toJsonSchema(schema, this.conversion(isForm)) });
    this.names.set(key, `exports.${$id}`);
    return `exports.${$id}`;
  }

  toCode(): string {
    const definitions = [...this.definitions.values()].map(({ name, schema }) => [name, schema]);
    const all = [{ $id: "shared", definitions: Object.fromEntries(definitions) }, ...this.schemas];
    const ajv = new Ajv({
      strict: false,
      // JSON.parse reads 1e400 as Infinity.
      strictNumbers: true,
      logger: false,
      allErrors: true,
      discriminator: true,
      formats: fullFormats,
      // Own properties only, if an inherited one could be taken for a field.
      ownProperties: namesIn(all).some((name) => name in Object.prototype),
      code: { source: true, formats: _`require("ajv-formats/dist/formats").fullFormats` },
    });
    for (const schema of all) ajv.addSchema(schema);
    const names = this.schemas.map(({ $id }) => [$id, $id]);
    return (standalone as unknown as typeof standalone.default)(ajv, Object.fromEntries(names));
  }

  private conversion(hasFiles: boolean): Conversion {
    const conversion: Conversion = {
      hasFiles,
      lookup: (identity) => this.findings.schemas[identity]?.schema,
      refer: (identity) => {
        const key = `${hasFiles} ${identity}`;
        const known = this.definitions.get(key);
        if (known) return `shared#/definitions/${known.name}`;
        // Entered before it is converted, because it may refer to itself.
        const definition: { name: string; schema: JsonSchema | undefined } = {
          name: `type${this.definitions.size}`,
          schema: undefined,
        };
        this.definitions.set(key, definition);
        definition.schema = toJsonSchema(conversion.lookup(identity) ?? {}, conversion);
        return `shared#/definitions/${definition.name}`;
      },
    };
    return conversion;
  }
}

function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return Object.entries(value).flatMap(([keyword, inner]) => [
    ...(keyword === "properties" ? Object.keys(inner as object) : []),
    ...(keyword === "required" && Array.isArray(inner) ? (inner as string[]) : []),
    ...namesIn(inner),
  ]);
}
