import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readVariable } from "../handlers/inspect.ts";
import { toOpenApiSchema } from "./json-schema.ts";
import type { ReadModule } from "./loaded-files.ts";
import type { ValueReference } from "./reference.ts";

type AnyFunction = (...args: never[]) => unknown;
type JsonSchema = Record<string, unknown>;

/**
 * The schema of a validator that the running program holds. Only a file that the program has loaded already is
 * imported, so that nothing runs. `undefined` when it cannot be reached or cannot tell.
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
      // Not every library knows every dialect.
    }
  }
  return standard.vendor === "valibot" ? toOpenApiSchema(await convertValibot(value, file)) : undefined;
}

/** Valibot's schemas are plain data, and a package beside it turns them into JSON schemas; it is there or not. */
async function convertValibot(schema: unknown, file: string): Promise<unknown> {
  const path = createRequire(file).resolve("@valibot/to-json-schema");
  const { toJsonSchema } = (await import(pathToFileURL(path).href)) as {
    toJsonSchema: (schema: unknown, options: object) => unknown;
  };
  return toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" });
}
