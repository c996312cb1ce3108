import type { TypeQuery } from "./query.ts";

/**
 * The converter's view of a compiler: types, described one level deep in Annex's own terms. Two compilers implement it,
 * one for production and one for comparison in the tests.
 */
export interface Compiler {
  /** Opens the projects of files. True if that changes the program: earlier types must no longer be used. */
  open(files: readonly string[]): boolean;
  /** The widened types at the locations, in the order of the queries. `undefined` if no node matches the location. */
  typesAt(queries: readonly TypeQuery[]): readonly (TypeRef | undefined)[];
  shapeOf(type: TypeRef): Shape;
  /** For an "object" or an "intersection". Separate from the shape, because it is expensive. */
  membersOf(type: TypeRef): Members;
  /** The type of one property, without reading the others. */
  propertyOf(type: TypeRef, name: string): TypeRef | undefined;
  /** The return types of its call signatures. Empty if it is not a function. */
  returnsOf(type: TypeRef): readonly TypeRef[];
  /** The type without null and undefined. It may have a name even if the original type has none. */
  withoutNullish(type: TypeRef): TypeRef;
  /** False if the project's settings hide null and undefined from the compiler. */
  seesNull(type: TypeRef): boolean;
  /** False if no tsconfig.json includes the file, so that the project's aliases and global types are unknown. */
  isConfigured(type: TypeRef): boolean;
  /** The files of the program that are not part of a package or a library. */
  ownFiles(): readonly string[];
  isAlive(): boolean;
  refresh(changed: readonly string[]): void;
  close(): void;
}

declare const typeRef: unique symbol;

/** A type of the compiler. Each type is one object until the next refresh. */
export interface TypeRef {
  readonly [typeRef]: true;
}

export type Literal = string | number | boolean;

export type PrimitiveKind =
  | "any"
  | "unknown"
  | "error"
  | "never"
  | "void"
  | "undefined"
  | "null"
  | "string"
  | "number"
  | "bigint"
  | "symbol"
  /** `object` */
  | "nonPrimitive"
  /** Depends on a free type parameter. */
  | "open";

export type Shape =
  | PrimitiveShape
  | LiteralShape
  | TemplateShape
  | UnionShape
  | ListShape
  | TupleShape
  | ObjectShape;

export interface PrimitiveShape {
  readonly kind: PrimitiveKind;
  readonly name?: undefined;
}

export interface LiteralShape {
  readonly kind: "literal";
  readonly value: Literal;
  /** The enum that it is a member of. */
  readonly enumType?: TypeRef | undefined;
  /** The name of an enum if this is its only member. */
  readonly name?: TypeName | undefined;
}

/** `texts` has one more item than `types`, which are between them. */
export interface TemplateShape {
  readonly kind: "template";
  readonly texts: readonly string[];
  readonly types: readonly TypeRef[];
  readonly name?: undefined;
}

export interface UnionShape {
  readonly kind: "union" | "intersection";
  readonly members: readonly TypeRef[];
  readonly name?: TypeName | undefined;
}

export interface ListShape {
  readonly kind: "list";
  readonly element: TypeRef;
  readonly name?: undefined;
}

export interface TupleShape {
  readonly kind: "tuple";
  readonly elements: readonly TupleElement[];
  readonly name?: undefined;
}

export interface TupleElement {
  readonly type: TypeRef;
  readonly presence: "required" | "optional" | "rest";
}

export interface ObjectShape {
  readonly kind: "object";
  /** Its origin, which determines the members that JSON.stringify sees. */
  readonly made: "class" | "interface" | "literal" | "mapped" | "type";
  readonly name?: TypeName | undefined;
  /** The location of an object type without a name. */
  readonly place?: Place | undefined;
}

/** A name that can be used to refer to a type: that of its alias or, otherwise, of its own declaration. */
export interface TypeName {
  readonly name: string;
  /** The enclosing namespaces, the outermost first. */
  readonly scope: readonly string[];
  /** Whether it is declared inside a function. */
  readonly isLocal: boolean;
  readonly declaration: Declaration;
  readonly arguments: readonly TypeRef[];
}

export interface Place {
  readonly file: string;
  /** Starting at 1. */
  readonly line: number;
  /** Starting at 1. */
  readonly column: number;
}

export interface Declaration extends Place {
  readonly origin: Origin;
  /** The JSDoc comment above it, as written. */
  readonly comment?: string | undefined;
  /** As written, without the comments above it. Empty for library declarations. */
  readonly text: string;
}

/** "library": part of the compiler. "package": in a node_modules folder. */
export type Origin = "project" | "package" | "library";

export interface Members {
  /** In the order of declaration. Properties with a symbol as their name are omitted. */
  readonly properties: readonly Property[];
  readonly indexes: readonly { readonly key: TypeRef; readonly value: TypeRef }[];
  /** Whether it can be called or constructed. */
  readonly isCallable: boolean;
  /** The types that a class or an interface extends. Set only if it has a numeric index. */
  readonly bases: readonly TypeRef[];
}

export interface Property {
  readonly name: string;
  readonly type: TypeRef;
  readonly isOptional: boolean;
  /** "hidden": private or protected. "accessor": of a class, and therefore on the prototype. */
  readonly role: "field" | "method" | "classMethod" | "accessor" | "hidden";
  readonly declaration?: Declaration | undefined;
  /** The comment above its alias: the comment of `type Email = string` is not available elsewhere. */
  readonly aliasComment?: string | undefined;
  /** The library member that creates its value, if any: `length` in `{ count: todos.length }`. */
  readonly madeBy?: string | undefined;
}
