import type { OpenAPIDocument } from "../model/openapi.ts";
import { isObject, type Json, resolveRef } from "../specs/walk.ts";
import { quote, type Tag, writeBlock, writeComment, writeKey } from "./source-text.ts";
import { arrayOf, intersectionOf, single, type TypeText, unionOf, unknownType } from "./type-text.ts";

const schemaPrefix = "#/components/schemas/";

/** Types for the schemas of a document. Keywords that types cannot express, such as limits, are left out. */
export class SchemaTypes {
  private readonly document: Json;
  private readonly names: ReadonlyMap<string, string>;
  /** References to other parts of the document that are being written. */
  private readonly open = new Set<string>();

  /** `names`: the type of each named schema. */
  constructor(document: OpenAPIDocument, names: ReadonlyMap<string, string>) {
    this.document = document as unknown as Json;
    this.names = names;
  }

  /** The declaration of a named schema. */
  declare(schemaName: string, schema: unknown): string {
    const name = this.names.get(schemaName)!;
    const comment = writeComment(describe(schema));
    if (this.refersToItself(schemaName)) return `${comment}export type ${name} = unknown;\n`;
    const isInterface = isObject(schema) && hasProperties(schema) && isPlainObject(schema);
    if (isInterface) return `${comment}export interface ${name} ${this.writeObject(schema)}\n`;
    const { text } = this.typeOf(schema);
    return `${comment}export type ${name} =${text.startsWith("\n") ? "" : " "}${text};\n`;
  }

  typeOf(schema: unknown): TypeText {
    if (!isObject(schema)) return unknownType;
    if (typeof schema.$ref === "string") return this.refer(schema.$ref);
    const type = intersectionOf([
      this.ownType(schema),
      ...listOf(schema.allOf).map((part) => this.typeOf(part)),
      ...[schema.oneOf, schema.anyOf].flatMap((parts) => {
        const types = listOf(parts).map((part) => this.typeOf(part));
        return types.length > 0 ? [unionOf(types)] : [];
      }),
    ]);
    return schema.nullable === true ? unionOf([type, single("null")]) : type;
  }

  private refer(ref: string): TypeText {
    const name = ref.startsWith(schemaPrefix) ? this.names.get(ref.slice(schemaPrefix.length)) : undefined;
    if (name !== undefined) return single(name);
    if (this.open.has(ref)) return unknownType;
    this.open.add(ref);
    const type = this.typeOf(resolveRef(this.document, ref));
    this.open.delete(ref);
    return type;
  }

  /** The type without the schemas that it is composed of. */
  private ownType(schema: Json): TypeText {
    if (Array.isArray(schema.enum)) return unionOf(schema.enum.map(literalOf));
    switch (schema.type) {
      case "string":
        return single(schema.format === "binary" ? "Blob" : "string");
      case "integer":
      case "number":
        return single("number");
      case "boolean":
        return single("boolean");
      case "array":
        return arrayOf(this.typeOf(schema.items));
      case "object":
        return isComposed(schema) && !describesObject(schema)
          ? unknownType
          : single(this.writeObject(schema));
      default:
        if (schema.items !== undefined) return arrayOf(this.typeOf(schema.items));
        return describesObject(schema) ? single(this.writeObject(schema)) : unknownType;
    }
  }

  private writeObject(schema: Json): string {
    const { additionalProperties: others } = schema;
    if (!hasProperties(schema)) {
      const value = others === false ? "never" : isObject(others) ? this.typeOf(others).text : "unknown";
      return value.includes("\n")
        ? writeBlock([`[key: string]: ${value.trimStart()};`])
        : `{ [key: string]: ${value} }`;
    }
    const required = new Set(listOf(schema.required));
    const members = Object.entries(schema.properties as Json).map(([name, property]) =>
      this.writeProperty(name, property, required.has(name)),
    );
    // The types of the known properties must fit the index signature.
    if (others === true || isObject(others)) members.push("[key: string]: unknown;");
    return writeBlock(members);
  }

  private writeProperty(name: string, property: unknown, isRequired: boolean): string {
    const modifier = isObject(property) && property.readOnly === true ? "readonly " : "";
    return writeMember(`${modifier}${writeKey(name)}`, this.typeOf(property), {
      isRequired,
      comment: writeComment(describe(property)),
    });
  }

  /** Whether it consists of itself, which no type can. A property or an array in between makes it a valid type. */
  private refersToItself(schemaName: string): boolean {
    const start = schemaPrefix + schemaName;
    const found = new Set<string>();
    const visit = (schema: unknown): void => {
      if (!isObject(schema)) return;
      if (typeof schema.$ref === "string") {
        if (found.has(schema.$ref)) return;
        found.add(schema.$ref);
        visit(resolveRef(this.document, schema.$ref));
        return;
      }
      for (const part of [schema.allOf, schema.oneOf, schema.anyOf].flatMap(listOf)) visit(part);
    };
    visit(resolveRef(this.document, start));
    return found.has(start);
  }
}

interface MemberOptions {
  readonly isRequired: boolean;
  readonly comment?: string;
}

/** A member of a type: `name?: string;`. */
export function writeMember(
  key: string,
  { text }: TypeText,
  { isRequired, comment = "" }: MemberOptions,
): string {
  return `${comment}${key}${isRequired ? "" : "?"}:${text.startsWith("\n") ? "" : " "}${text};`;
}

/** The paragraphs of the comment above a schema, a property or a parameter. */
export function describe(value: unknown): (string | Tag | undefined)[] {
  if (!isObject(value)) return [];
  const { description, deprecated } = value;
  const standard = isObject(value.schema) ? value.schema.default : value.default;
  return [
    typeof description === "string" && description.trim() !== "" ? description : undefined,
    standard !== undefined ? { tag: "default", text: quoteValue(standard) } : undefined,
    deprecated === true ? { tag: "deprecated" } : undefined,
  ];
}

function quoteValue(value: unknown): string {
  return typeof value === "string" ? quote(value) : JSON.stringify(value);
}

function literalOf(value: unknown): TypeText {
  if (typeof value === "string") return single(quote(value));
  const isLiteral = value === null || typeof value === "number" || typeof value === "boolean";
  return isLiteral ? single(String(value)) : unknownType;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function hasProperties({ properties }: Json): boolean {
  return isObject(properties) && Object.keys(properties).length > 0;
}

function describesObject(schema: Json): boolean {
  return hasProperties(schema) || schema.additionalProperties !== undefined;
}

function isComposed(schema: Json): boolean {
  return [schema.allOf, schema.oneOf, schema.anyOf].some((parts) => listOf(parts).length > 0);
}

function isPlainObject(schema: Json): boolean {
  return (
    schema.$ref === undefined &&
    schema.nullable !== true &&
    !isComposed(schema) &&
    !Array.isArray(schema.enum)
  );
}
