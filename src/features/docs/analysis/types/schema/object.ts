import { isSensitiveName } from "../../../../../lib/redaction/sensitive-names.ts";
import { limits } from "../limits.ts";
import type { InexactReason } from "../problems.ts";
import type { IsSecret, RawSchema } from "../query.ts";
import type { Compiler, Members, ObjectShape, Property, TypeRef } from "../shape.ts";
import { type Alternatives, absent, either, oneSchema } from "./alternatives.ts";
import type { Subject } from "./subject.ts";
import type { Comment } from "./tags.ts";

/** The parts of a conversion that converting an object requires. */
export interface ObjectConversion {
  readonly compiler: Compiler;
  readonly isSecret: IsSecret;
  conceal<T>(read: () => T): T;
  read(type: TypeRef, subject: Subject): Alternatives;
  readList(element: TypeRef, subject: Subject): Alternatives;
  assemble(
    alternatives: Alternatives,
    subject: Subject,
    comments?: readonly Comment[],
  ): RawSchema | undefined;
  dropFunction(subject: Subject): Alternatives;
  describeLibrary(subject: Subject): Alternatives;
  giveUp(subject: Subject): Alternatives;
  noteInexact(reason: InexactReason, subject: Subject): void;
}

/** An object as written by JSON.stringify. */
export function objectSchema(
  conversion: ObjectConversion,
  type: TypeRef,
  made: ObjectShape["made"],
  subject: Subject,
): Alternatives {
  const members = conversion.compiler.membersOf(type);
  if (members.isCallable) return conversion.dropFunction(subject);
  if (members.properties.length > limits.members) return conversion.giveUp(subject);
  const written = writtenInstead(conversion, members, type);
  if (written) conversion.noteInexact("members", { ...subject, name: "`toJSON`" });
  if (written) return either(written.map((part) => conversion.read(part, subject)));
  const element = elementOfList(conversion, members);
  if (element) return conversion.readList(element, subject);
  if (isAnything(members, made)) {
    conversion.noteInexact("anything", subject);
    return oneSchema({});
  }
  if (isBehaviour(members)) return conversion.describeLibrary(subject);
  return oneSchema(fieldsSchema(conversion, members, made, subject));
}

/** The return type of `toJSON`. It is called once: if it returns the same type, the fields are written. */
function writtenInstead({ compiler }: ObjectConversion, { properties }: Members, type: TypeRef) {
  const toJson = properties.find(({ name }) => name === "toJSON");
  const returned = toJson ? compiler.returnsOf(toJson.type) : [];
  return returned.length > 0 && !returned.includes(type) ? returned : undefined;
}

/** `class Todos extends Array<Todo>` is written as an array. */
function elementOfList({ compiler }: ObjectConversion, { bases, indexes }: Members): TypeRef | undefined {
  const isList = (base: TypeRef): boolean => {
    const shape = compiler.shapeOf(base);
    return shape.kind === "list" || (shape.kind === "object" && compiler.membersOf(base).bases.some(isList));
  };
  if (!bases.some(isList)) return undefined;
  return indexes.find(({ key }) => compiler.shapeOf(key).kind === "number")?.value;
}

/** `{}` and an interface without members allow every value. */
function isAnything({ properties, indexes }: Members, made: ObjectShape["made"]): boolean {
  return properties.length + indexes.length === 0 && made !== "class" && made !== "literal";
}

/** Whether the type is mapped from a built-in one, such as a deep partial of a `Date`. */
function isBehaviour({ properties }: Members): boolean {
  return properties.length > 0 && properties.every(({ declaration }) => declaration?.origin === "library");
}

function fieldsSchema(
  conversion: ObjectConversion,
  members: Members,
  made: ObjectShape["made"],
  subject: Subject,
): RawSchema {
  const shown = members.properties.filter(({ name }) => !conversion.isSecret(name));
  if (shown.length < members.properties.length) conversion.noteInexact("concealed", subject);
  const fields = shown.flatMap((property) => {
    const read = () => readField(conversion, property, made, subject) ?? [];
    return isSensitiveName(property.name) ? conversion.conceal(read) : read();
  });
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const rest = restSchema(conversion, members, subject);
  return {
    type: "object",
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    }),
    ...(required.length > 0 && { required }),
    ...(rest && { additionalProperties: rest }),
  };
}

function readField(
  conversion: ObjectConversion,
  property: Property,
  holder: ObjectShape["made"],
  subject: Subject,
) {
  const { name, declaration, role } = property;
  const isInherited = declaration?.origin === "library" && (holder === "class" || holder === "interface");
  if (isInherited || role === "hidden" || role === "accessor" || role === "classMethod") {
    // The compiler adds a number to the name of a private member.
    conversion.noteInexact("members", { ...subject, name: `\`${name.replace(/^__#\d+@/, "")}\`` });
    return undefined;
  }
  const isOwn = declaration?.origin === "project";
  const field: Subject = {
    name: `\`${name}\``,
    place: isOwn ? declaration : subject.place,
    declaredAs: declaration?.text ?? "",
  };
  const value = role === "method" ? absent : conversion.read(property.type, field);
  // The project cannot remove the methods of packages.
  if (role === "method" && isOwn) conversion.dropFunction(field);
  else if (role === "method") conversion.noteInexact("members", field);
  const comments = isPlain(value) ? [property.aliasComment, declaration?.comment] : [declaration?.comment];
  const made = holder === "literal" ? knownByItsValue(value, property) : value;
  const schema = conversion.assemble(made, field, comments);
  // `any` and `unknown` include undefined, which is omitted.
  const { kind } = conversion.compiler.shapeOf(property.type);
  const isOptional = property.isOptional || value.isAbsent || kind === "any" || kind === "unknown";
  if (kind === "undefined" || kind === "void" || kind === "never") conversion.noteInexact("never", field);
  return schema && { name, schema, isRequired: !isOptional };
}

/** `{ count: todos.length }`: the origin of the value is more precise than its type. */
function knownByItsValue(value: Alternatives, { madeBy }: Property): Alternatives {
  const [schema] = value.schemas;
  if (madeBy === undefined || !isPlain(value)) return value;
  // Node describes a UUID with its own template type.
  if (madeBy !== "randomUUID" && Object.keys(schema!).length > 1) return value;
  const known = schema!.type === "number" ? integers.has(madeBy) && { type: "integer" } : formats[madeBy];
  return known ? { ...value, schemas: [known] } : value;
}

const integers = new Set("length size getTime now floor round ceil trunc".split(" "));
const formats: Readonly<Record<string, RawSchema>> = {
  toISOString: { type: "string", format: "date-time" },
  randomUUID: { type: "string", format: "uuid" },
};

/** A string or a number, as for an alias without its own component. */
function isPlain({ schemas: [schema, ...others], literals }: Alternatives): boolean {
  const isOne = others.length + literals.length === 0;
  return isOne && (schema?.type === "string" || schema?.type === "number");
}

/** The schema of additional properties. OpenAPI 3.0 cannot express a pattern for keys. */
function restSchema(
  conversion: ObjectConversion,
  { indexes }: Members,
  subject: Subject,
): RawSchema | undefined {
  const { compiler } = conversion;
  const values = indexes
    .filter(({ key }) => compiler.shapeOf(key).kind !== "symbol")
    .map(({ value }) => value);
  if (values.length > 1) conversion.noteInexact("indexes", subject);
  const rest = either(values.map((value) => conversion.read(value, subject)));
  return conversion.assemble(rest, subject);
}
