import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readVariable } from "../../../../lib/node/inspection.ts";
import { toOpenApiSchema } from "./json-schema.ts";
import type { ReadModule } from "./loaded-files.ts";
import type { ValueReference } from "./reference.ts";

type AnyFunction = (...args: never[]) => unknown;
type JsonSchema = Record<string, unknown>;

/**
 * The schema of a validator in the running program. Only files that the program has already loaded are imported, so no
 * code runs. `undefined` if the validator cannot be reached or has no JSON schema.
 */
export async function readValidator(
  reference: ValueReference,
  handler: AnyFunction,
  readModule: ReadModule,
): Promise<JsonSchema | undefined> {
  try {
    const root = reference.isExported
      ? (await readModule(reference.file))?.[reference.name]
      : readVariable(handler, reference.name);
    const value = reference.path.reduce<unknown>(
      (inner, name) => (inner as Record<string, unknown> | undefined)?.[name],
      root,
    );
    return await schemaOf(value, reference.file);
  } catch {
    return undefined;
  }
}

interface Standard {
  readonly vendor: string;
  readonly jsonSchema?: { input(options: { target: string }): unknown };
}

async function schemaOf(value: unknown, file: string): Promise<JsonSchema | undefined> {
  const standard = (value as { "~standard"?: Standard } | undefined)?.["~standard"];
  if (!standard) return undefined;
  for (const target of ["openapi-3.0", "draft-07"]) {
    try {
      const schema = standard.jsonSchema?.input({ target });
      if (schema !== undefined) return toOpenApiSchema(schema);
    } catch {
      // Not every library supports every dialect.
    }
  }
  return standard.vendor === "valibot" ? toOpenApiSchema(await convertValibot(value, file)) : undefined;
}

/** Valibot's schemas are plain data. An optional package converts them to JSON schemas. */
async function convertValibot(schema: unknown, file: string): Promise<unknown> {
  const path = createRequire(file).resolve("@valibot/to-json-schema");
  const { toJsonSchema } = (await import(pathToFileURL(path).href)) as {
    toJsonSchema: (schema: unknown, options: object) => unknown;
  };
  return toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" });
}
