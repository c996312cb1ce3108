import { findPatternProblems } from "../../patterns/index.ts";
import { limits } from "../limits.ts";
import { createInexact, createProblem, type InexactReason, type ProblemCode } from "../problems.ts";
import type { IsSecret, RawSchema, TypeProblem } from "../query.ts";
import type { Compiler, Shape, TupleShape, TypeRef, UnionShape } from "../shape.ts";
import {
  type Alternatives,
  absent,
  asItem,
  assemble,
  either,
  none,
  nothingButNull,
  oneLiteral,
  oneSchema,
} from "./alternatives.ts";
import { findBuiltin, isFunction, isNodesUuid, isOfLibrary } from "./builtins.ts";
import type { NamedType, Naming } from "./naming.ts";
import { type ObjectConversion, objectSchema } from "./object.ts";
import { isReferable } from "./referable.ts";
import type { Subject } from "./subject.ts";
import { type Comment, withComment, withLimits } from "./tags.ts";
import { templatePattern } from "./template.ts";
import { unionParts } from "./union-members.ts";

/** One piece of a document: a component or the result of a query, converted on its own. */
export interface Piece {
  /** `undefined` if the type has no JSON form. */
  readonly schema: RawSchema | undefined;
  readonly isAbsent: boolean;
  readonly isOpen: boolean;
  /** The components that it refers to directly, by identity. */
  readonly refs: ReadonlyMap<string, TypeRef>;
  readonly problems: readonly TypeProblem[];
  /** Why the schema allows more than the type. */
  readonly inexact: readonly TypeProblem[];
  /** To be settled when all components exist. */
  readonly unions: readonly RawSchema[];
}

export interface ConverterParts {
  readonly compiler: Compiler;
  readonly naming: Naming;
  readonly isSecret: IsSecret;
}

/** Converts a type with a given or assigned name to the schema of its component. */
export function convertComponent(parts: ConverterParts, type: TypeRef, named: NamedType): Piece {
  const { name: alias } = parts.compiler.shapeOf(type);
  const declaration = alias?.declaration;
  const subject = { name: `\`${named.name}\``, place: named.place, declaredAs: declaration?.text ?? "" };
  const conversion = new Conversion(parts);
  const alternatives = conversion.readUnnamed(type, subject);
  return conversion.finish(alternatives, subject, declaration?.comment);
}

/** Converts a value that may be of any of the types. For a credential, only the kind is included. */
export function convertValue(
  parts: ConverterParts,
  types: readonly TypeRef[],
  subject: Subject,
  isCredential: boolean,
): Piece {
  const conversion = new Conversion(parts);
  const read = () => either(types.map((type) => conversion.read(type, subject)));
  return conversion.finish(isCredential ? conversion.conceal(read) : read(), subject);
}

/** The state of one conversion. */
class Conversion implements ObjectConversion {
  readonly compiler: Compiler;
  private readonly naming: Naming;
  private readonly refs = new Map<string, TypeRef>();
  private readonly problems: TypeProblem[] = [];
  private readonly inexact: TypeProblem[] = [];
  private readonly unions: RawSchema[] = [];
  /** The types without a name being converted, and whether they contain themselves. */
  private readonly inside = new Map<TypeRef, { isRecursive: boolean }>();
  private nodes = 0;
  private isOpen = false;
  /** The number of enclosing fields that are credentials. Values inside them are omitted. */
  private concealing = 0;
  readonly isSecret: IsSecret;

  constructor({ compiler, naming, isSecret }: ConverterParts) {
    this.compiler = compiler;
    this.naming = naming;
    this.isSecret = isSecret;
  }

  /** Reads the value of a field whose name looks like a credential. */
  conceal<T>(read: () => T): T {
    this.concealing++;
    try {
      return read();
    } finally {
      this.concealing--;
    }
  }

  finish(alternatives: Alternatives, subject: Subject, comment?: Comment): Piece {
    const { refs, problems, inexact, unions, isOpen } = this;
    const schema = this.assemble(alternatives, subject, [comment]);
    return { schema, isAbsent: alternatives.isAbsent, isOpen, refs, problems, inexact, unions };
  }

  /** Later comments take precedence. */
  assemble(
    alternatives: Alternatives,
    subject: Subject,
    comments: readonly Comment[] = [],
  ): RawSchema | undefined {
    const schema = assemble(alternatives, subject.declaredAs, (union) => this.unions.push(union));
    const onUnusable = (tag: string) => this.report("TYPE_TAG_UNUSABLE", { ...subject, name: `\`${tag}\`` });
    const read = this.concealing > 0 ? withLimits : withComment;
    const described =
      schema && comments.reduce<RawSchema>((said, comment) => read(said, comment, onUnusable), schema);
    this.examineCost(described, subject);
    return described;
  }

  /** Reports keywords for which a small request could need much time. */
  private examineCost(schema: RawSchema | undefined, subject: Subject): void {
    if (schema === undefined) return;
    if (schema.uniqueItems === true && !isQuicklyCompared(schema)) this.noteInexact("uniqueItems", subject);
    if (schema.pattern === undefined) return;
    const { place } = subject;
    const at = place && { file: place.file, line: place.line };
    this.problems.push(
      ...findPatternProblems({ pattern: schema.pattern }).map((each) => ({ ...each, ...at })),
    );
  }

  report(code: ProblemCode, { name, place }: Subject): void {
    this.problems.push(createProblem(code, name, place));
  }

  /** The schema allows values that the type does not. */
  noteInexact(reason: InexactReason, { name, place }: Subject): void {
    this.inexact.push(createInexact(reason, name, place));
  }

  /** As a reference, if the type has a name. */
  read(type: TypeRef, subject: Subject): Alternatives {
    const shape = this.compiler.shapeOf(type);
    if (shape.name?.arguments.some((argument) => this.naming.isOpen(argument))) return this.open();
    if (!isReferable(this.compiler, shape, type)) return this.readUnnamed(type, subject);
    // A component shows its values, so only objects are referenced from here: their fields are checked separately.
    if (this.concealing > 0 && shape.kind !== "object" && shape.kind !== "intersection")
      return this.readUnnamed(type, subject);
    const named = this.naming.nameOf(type);
    if (!named) return this.readUnnamed(type, subject);
    return named.depth > limits.argumentDepth ? this.giveUp(subject) : this.refer(named, type);
  }

  /** Ignores the name of the type itself. */
  readUnnamed(type: TypeRef, subject: Subject): Alternatives {
    const known = this.inside.get(type);
    if (known) known.isRecursive = true;
    if (known) return this.referByInventedName(type, subject);
    if (this.inside.size > limits.depth || ++this.nodes > limits.nodes) return this.giveUp(subject);
    const state = { isRecursive: false };
    this.inside.set(type, state);
    const alternatives = this.readShape(this.compiler.shapeOf(type), type, subject);
    this.inside.delete(type);
    const isWhole = this.inside.size === 0;
    return state.isRecursive && !isWhole ? this.referByInventedName(type, subject) : alternatives;
  }

  private referByInventedName(type: TypeRef, subject: Subject): Alternatives {
    const named = this.naming.inventName(type);
    return named ? this.refer(named, type) : this.giveUp(subject);
  }

  private readShape(shape: Shape, type: TypeRef, subject: Subject): Alternatives {
    switch (shape.kind) {
      case "any":
        this.report("TYPE_ANY", subject);
        return oneSchema({});
      case "error":
        this.report(this.compiler.isConfigured(type) ? "TYPE_UNRESOLVED" : "TYPE_NOT_INCLUDED", subject);
        return oneSchema({});
      case "unknown":
        return oneSchema({});
      case "never":
        return none;
      case "void":
      case "undefined":
        return absent;
      case "null":
        return nothingButNull;
      case "string":
      case "number":
        return oneSchema({ type: shape.kind });
      case "bigint":
        this.report("TYPE_IS_BIGINT", subject);
        return oneSchema({});
      case "symbol":
        this.report("TYPE_IS_SYMBOL", subject);
        return absent;
      case "nonPrimitive":
        return oneSchema({ type: "object" });
      case "open":
        return this.open();
      case "literal":
        if (this.concealing === 0 && !this.isSecret(String(shape.value))) return oneLiteral(shape.value);
        // `boolean` is a union of two literals.
        if (typeof shape.value !== "boolean") this.noteInexact("concealed", subject);
        return oneSchema({ type: typeof shape.value });
      case "template": {
        if (this.concealing > 0 || shape.texts.some(this.isSecret)) {
          this.noteInexact("concealed", subject);
          return oneSchema({ type: "string" });
        }
        if (isNodesUuid(shape)) return oneSchema({ type: "string", format: "uuid" });
        const pattern = templatePattern(this.compiler, shape);
        return pattern === undefined ? this.open() : oneSchema({ type: "string", pattern });
      }
      case "list":
        return this.readList(shape.element, subject);
      case "tuple":
        return this.readTuple(shape, subject);
      case "union":
        return this.readUnion(shape, type, subject);
      case "intersection":
        return this.readIntersection(shape, type, subject);
      case "object":
        return this.readObject(shape, type, subject);
    }
  }

  readList(element: TypeRef, subject: Subject): Alternatives {
    const item = this.read(element, subject);
    if (item.isAbsent) this.noteInexact("undefinedItem", subject);
    const items = this.assemble(asItem(item), subject);
    // An empty literal is an array of never, which says nothing about its later items.
    return oneSchema({ type: "array", items: items ?? {} });
  }

  /** OpenAPI 3.0 has no positional items, so each item may have the type of any position. */
  private readTuple({ elements }: TupleShape, subject: Subject): Alternatives {
    if (new Set(elements.map(({ type }) => type)).size > 1) this.noteInexact("tuple", subject);
    const all = elements.map(({ type, presence }) => {
      const item = this.read(type, subject);
      // The compiler adds undefined to an optional element, but the element is omitted.
      return presence === "optional" ? item : asItem(item);
    });
    const items = this.assemble(either(all), subject) ?? {};
    const minItems = elements.filter(({ presence }) => presence === "required").length;
    const isEndless = elements.some(({ presence }) => presence === "rest");
    return oneSchema({
      type: "array",
      items,
      ...(minItems > 0 && { minItems }),
      ...(!isEndless && { maxItems: elements.length }),
    });
  }

  private readUnion({ members }: UnionShape, type: TypeRef, subject: Subject): Alternatives {
    if (members.length > limits.members) return this.giveUp(subject);
    return either(unionParts(this.compiler, type, members).map((member) => this.read(member, subject)));
  }

  /** A brand adds properties that a string does not have. Only the string is sent. */
  private readIntersection({ members }: UnionShape, type: TypeRef, subject: Subject): Alternatives {
    const shapes = members.map((member) => this.compiler.shapeOf(member));
    if (shapes.some(({ kind }) => kind === "open")) return this.open();
    const whole = shapes.findIndex((shape) => shape.kind !== "object" && shape.kind !== "nonPrimitive");
    const builtin = shapes.findIndex((shape) => findBuiltin(shape));
    const decisive = members[whole >= 0 ? whole : builtin];
    const made = shapes.some(isOfLibrary) ? "interface" : "type";
    return decisive ? this.read(decisive, subject) : objectSchema(this, type, made, subject);
  }

  private readObject(shape: Shape & { kind: "object" }, type: TypeRef, subject: Subject): Alternatives {
    const builtin = findBuiltin(shape);
    if (builtin) {
      if (builtin.problem) this.report(builtin.problem, subject);
      if (builtin.isInexact) this.noteInexact(builtin.isInexact, subject);
      return oneSchema(structuredClone(builtin.schema));
    }
    if (isFunction(shape)) return this.dropFunction(subject);
    if (!isOfLibrary(shape)) return objectSchema(this, type, shape.made, subject);
    const toJson = this.compiler.propertyOf(type, "toJSON");
    const written = toJson ? this.compiler.returnsOf(toJson) : [];
    if (written.length === 0) return this.describeLibrary(subject);
    this.noteInexact("members", subject);
    return either(written.map((part) => this.read(part, subject)));
  }

  describeLibrary(subject: Subject): Alternatives {
    this.report("TYPE_OF_LIBRARY", subject);
    return oneSchema({});
  }

  dropFunction(subject: Subject): Alternatives {
    this.report("TYPE_IS_FUNCTION", subject);
    return absent;
  }

  /** Reported once: if one part is too large, its neighbours are, too. */
  giveUp(subject: Subject): Alternatives {
    if (!this.problems.some(({ code }) => code === "TYPE_TOO_LARGE")) this.report("TYPE_TOO_LARGE", subject);
    return oneSchema({});
  }

  open(): Alternatives {
    this.isOpen = true;
    return oneSchema({});
  }

  private refer({ identity }: NamedType, type: TypeRef): Alternatives {
    this.refs.set(identity, type);
    return oneSchema({ $ref: identity });
  }
}

/** All pairs of items are compared, unless they are texts or numbers. */
function isQuicklyCompared({ items, maxItems }: RawSchema): boolean {
  const { type } = (items ?? {}) as RawSchema;
  return Number(maxItems) <= 1_000 || ["string", "number", "integer", "boolean"].includes(String(type));
}
