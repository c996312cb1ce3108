import type { TypeQuery } from "./query.ts";

/**
 * What the converter knows of a compiler: types, described one level deep in our own words. Two compilers implement it,
 * one for the product and one as a second opinion in the tests.
 */
export interface Compiler {
  /** Opens the projects of files. True if that changes the program: types of before are not to be used any more. */
  open(files: readonly string[]): boolean;
  /** The types at the places, widened, in the order of the queries. `undefined` where nothing fits the place. */
  typesAt(queries: readonly TypeQuery[]): readonly (TypeRef | undefined)[];
  shapeOf(type: TypeRef): Shape;
  /** For an "object" or an "intersection". Apart from the shape, because it is what costs. */
  membersOf(type: TypeRef): Members;
  /** The type of one property, without looking at the others. */
  propertyOf(type: TypeRef, name: string): TypeRef | undefined;
  /** What its call signatures return. Empty for what is no function. */
  returnsOf(type: TypeRef): readonly TypeRef[];
  /** The type without null and undefined; it may have a name where the type has none. */
  withoutNullish(type: TypeRef): TypeRef;
  /** False where the project's settings hide null and undefined from the compiler. */
  seesNull(type: TypeRef): boolean;
  /** False where no tsconfig.json includes the file, so that the project's aliases and global types are unknown. */
  isConfigured(type: TypeRef): boolean;
  /** The files of the program that are not of a package or a library. */
  ownFiles(): readonly string[];
  isAlive(): boolean;
  refresh(changed: readonly string[]): void;
  close(): void;
}

declare const typeRef: unique symbol;

/** A type of the compiler. One type is one object as long as nothing is refreshed. */
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
  /** The enum it is a member of. */
  readonly enumType?: TypeRef | undefined;
  /** Of an enum whose only member it is. */
  readonly name?: TypeName | undefined;
}

/** `texts` has one more than `types`, which stand between them. */
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
  /** What made it: decides which of its members JSON.stringify sees. */
  readonly made: "class" | "interface" | "literal" | "mapped" | "type";
  readonly name?: TypeName | undefined;
  /** Where an object without a name is written. */
  readonly place?: Place | undefined;
}

/** A name by which a type can be referred to: of its alias or, failing that, of its own declaration. */
export interface TypeName {
  readonly name: string;
  /** Namespaces around it, the outermost first. */
  readonly scope: readonly string[];
  /** Declared inside of a function. */
  readonly isLocal: boolean;
  readonly declaration: Declaration;
  readonly arguments: readonly TypeRef[];
}

export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

export interface Declaration extends Place {
  readonly origin: Origin;
  /** The JSDoc comment above it, as written. */
  readonly comment?: string | undefined;
  /** As written, without comments above it. Empty for a declaration of a library. */
  readonly text: string;
}

/** "library": what the compiler brings itself. "package": in a node_modules folder. */
export type Origin = "project" | "package" | "library";

export interface Members {
  /** In the order of declaration. Those with a symbol for a name are left out. */
  readonly properties: readonly Property[];
  readonly indexes: readonly { readonly key: TypeRef; readonly value: TypeRef }[];
  /** It can be called or constructed. */
  readonly isCallable: boolean;
  /** Types that a class or an interface extends, told only of those with a number for a key. */
  readonly bases: readonly TypeRef[];
}

export interface Property {
  readonly name: string;
  readonly type: TypeRef;
  readonly isOptional: boolean;
  /** "hidden": private or protected. "accessor": of a class, so that it is on the prototype. */
  readonly role: "field" | "method" | "classMethod" | "accessor" | "hidden";
  readonly declaration?: Declaration | undefined;
  /** The comment above the alias it is declared to be of: that of `type Email = string` is to be found nowhere else. */
  readonly aliasComment?: string | undefined;
  /** What its value is made by, if that is a member of a library: `length` in `{ count: todos.length }`. */
  readonly madeBy?: string | undefined;
}
