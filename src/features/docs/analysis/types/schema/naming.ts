import type { IsSecret } from "../query.ts";
import type { Compiler, Place, Shape, TypeName, TypeRef } from "../shape.ts";
import { portablePath } from "../source-text.ts";
import { plainName, Speller, shortHash } from "./spelling.ts";

/** A type that is described once, under a name, and referenced elsewhere. */
export interface NamedType {
  /** The same on every machine and in every run. */
  readonly identity: string;
  /** The preferred name. */
  readonly name: string;
  readonly place: Place;
  /** The nesting depth of its type arguments. An infinite generic has no maximum. */
  readonly depth: number;
}

export interface Naming {
  /** The name for references to the type; `undefined` if it is described inline. */
  nameOf(type: TypeRef): NamedType | undefined;
  /** A name for a type that has none but needs one, because it contains itself. `undefined` if it is too large. */
  inventName(type: TypeRef): NamedType | undefined;
  /** Whether it depends on a free type parameter. */
  isOpen(type: TypeRef): boolean;
}

export function createNaming(compiler: Compiler, root: string, isSecret: IsSecret): Naming {
  const speller = new Speller(compiler, root, isSecret);

  function nameOf(type: TypeRef): NamedType | undefined {
    const shape = compiler.shapeOf(type);
    if (!shape.name || !isWorthAName(shape, shape.name)) return undefined;
    const { key, label, depth } = speller.spell(type);
    return label === undefined
      ? undefined
      : { identity: key, name: label, place: shape.name.declaration, depth };
  }

  function inventName(type: TypeRef): NamedType | undefined {
    const shape = compiler.shapeOf(type);
    const place = shape.name?.declaration ?? (shape.kind === "object" ? shape.place : undefined);
    const { key, depth, isCut } = speller.spell(type);
    if (isCut) return undefined;
    const name = `${plainName(shape.name?.name ?? "Recursive")}${shortHash(key)}`;
    const file = place ? portablePath(root, place.file) : "";
    return { identity: `${file}#${name}`, name, place: place ?? { file: root, line: 1, column: 1 }, depth };
  }

  return { nameOf, inventName, isOpen: (type) => speller.spell(type).isOpen };
}

/** Generic aliases of packages are utilities (`Simplify<T>`), and brands are their base type. Neither gets a name. */
function isWorthAName(shape: Shape, { declaration, arguments: given }: TypeName): boolean {
  if (declaration.origin === "library") return false;
  const isDeclared = shape.kind === "object" && (shape.made === "class" || shape.made === "interface");
  return declaration.origin === "project" || isDeclared || given.length === 0;
}
