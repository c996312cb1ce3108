type JsonSchema = Record<string, unknown>;

/**
 * Converts a JSON schema to the dialect of OpenAPI 3.0, which writes null, constants and exclusive bounds differently.
 * `undefined` for a schema with references: its type is more precise.
 */
export function toOpenApiSchema(schema: unknown): JsonSchema | undefined {
  if (typeof schema === "boolean") return schema ? {} : { not: {} };
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return undefined;
  const source = schema as JsonSchema;
  if ("$ref" in source || "$defs" in source || "definitions" in source) return undefined;
  const result: JsonSchema = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (!convert(keyword, value, result)) return undefined;
  }
  return result;
}

/** Converts one keyword; false if the schema cannot be expressed. */
function convert(keyword: string, value: unknown, result: JsonSchema): boolean {
  switch (keyword) {
    case "$schema":
    case "$id":
    case "$comment":
    case "propertyNames":
      return true;
    case "const":
      Object.assign(result, { type: typeName(value), enum: [value] });
      return true;
    case "type":
      return convertType(value, result);
    case "exclusiveMinimum":
    case "exclusiveMaximum": {
      const isBound = typeof value === "number";
      Object.assign(result, {
        [keyword]: true,
        ...(isBound && { [keyword === "exclusiveMinimum" ? "minimum" : "maximum"]: value }),
      });
      return true;
    }
    case "examples":
      if (Array.isArray(value)) result.example = value[0];
      return true;
    case "properties":
    case "patternProperties":
      return keyword === "properties" ? convertEach(value as JsonSchema, result) : true;
    case "items":
    case "additionalProperties":
    case "not":
      return convertOne(keyword, value, result);
    case "prefixItems":
      return convertList("items", value, result, (schemas) => ({ anyOf: schemas }));
    case "anyOf":
    case "oneOf":
    case "allOf":
      return convertAlternatives(keyword, value, result);
    default:
      result[keyword] ??= value;
      return true;
  }
}

function convertType(value: unknown, result: JsonSchema): boolean {
  const types = Array.isArray(value) ? value : [value];
  const [type, ...others] = types.filter((each) => each !== "null");
  if (others.length > 0) return false;
  if (types.includes("null")) result.nullable = true;
  if (type !== undefined) result.type = type;
  else Object.assign(result, { type: "string", enum: [null] });
  return true;
}

function convertEach(properties: JsonSchema, result: JsonSchema): boolean {
  const converted = Object.entries(properties).map(
    ([name, inner]) => [name, toOpenApiSchema(inner)] as const,
  );
  result.properties = Object.fromEntries(converted);
  return converted.every(([, inner]) => inner !== undefined);
}

function convertOne(keyword: string, value: unknown, result: JsonSchema): boolean {
  const isPlain = keyword === "additionalProperties" && typeof value === "boolean";
  result[keyword] = isPlain ? value : toOpenApiSchema(value);
  return result[keyword] !== undefined;
}

function convertList(
  keyword: string,
  value: unknown,
  result: JsonSchema,
  join: (schemas: JsonSchema[]) => unknown,
): boolean {
  const schemas = (value as unknown[]).map(toOpenApiSchema);
  if (schemas.some((schema) => schema === undefined)) return false;
  result[keyword] = join(schemas as JsonSchema[]);
  return true;
}

/** `anyOf: [T, null]` is a nullable T. */
function convertAlternatives(keyword: string, value: unknown, result: JsonSchema): boolean {
  const all = value as JsonSchema[];
  const others = all.filter((each) => each.type !== "null");
  if (others.length === all.length || keyword === "allOf")
    return convertList(keyword, all, result, (schemas) => schemas);
  const [only] = others;
  const inner = others.length === 1 ? toOpenApiSchema(only) : undefined;
  if (inner && "type" in inner) {
    Object.assign(result, inner, { nullable: true });
    return true;
  }
  return convertList(keyword, others, result, (schemas) => [
    ...schemas,
    { type: "string", nullable: true, enum: [null] },
  ]);
}

function typeName(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "string" || typeof value === "boolean" ? typeof value : undefined;
}
