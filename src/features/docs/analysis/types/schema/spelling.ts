import { createHash } from "node:crypto";
import { isSensitiveName } from "../../../../../lib/redaction/sensitive-names.ts";
import type { IsSecret } from "../query.ts";
import type { Compiler, Shape, TypeName, TypeRef } from "../shape.ts";
import { portablePath } from "../source-text.ts";
import { unionParts } from "./union-members.ts";

export interface Spelling {
  /** Identifies the type. */
  readonly key: string;
  /** For use as a part of a name. Missing if the type has none. */
  readonly label?: string | undefined;
  readonly depth: number;
  readonly isOpen: boolean;
  /** Whether the type is too large for a unique key. */
  readonly isCut?: boolean;
}

/** Longer keys are hashed, so that a type with thousands of members has a short identity. */
const longestKey = 300;

/** The number of paths through mutually recursive types grows with their permutations. */
const deepestKey = 30;
const mostParts = 2_000;

/** Spells types: equal types have the same key, on every machine and in every run. */
export class Speller {
  private readonly compiler: Compiler;
  private readonly root: string;
  private readonly isSecret: IsSecret;
  private readonly spellings = new Map<TypeRef, Spelling>();
  private parts = 0;

  constructor(compiler: Compiler, root: string, isSecret: IsSecret) {
    this.compiler = compiler;
    this.root = root;
    this.isSecret = isSecret;
  }

  /** `above` are the types that contain this one. A repeated type is identified by its distance upwards. */
  spell(type: TypeRef, above: readonly TypeRef[] = []): Spelling {
    // As a part of another type, its key may refer to that type, so only the keys of whole types are cached.
    const known = above.length === 0 ? this.spellings.get(type) : undefined;
    if (known) return known;
    const up = above.indexOf(type);
    if (up >= 0) return { key: `^${above.length - up}`, depth: 0, isOpen: false };
    if (above.length === 0) this.parts = 0;
    if (above.length > deepestKey || ++this.parts > mostParts) return { ...leaf("..."), isCut: true };
    const spelling = this.spellShape(this.compiler.shapeOf(type), type, [...above, type]);
    if (above.length === 0) this.spellings.set(type, spelling);
    return spelling;
  }

  private spellShape(shape: Shape, type: TypeRef, above: readonly TypeRef[]): Spelling {
    if (shape.name) return this.spellName(shape.name, above);
    const spellAll = (types: readonly TypeRef[]) => types.map((part) => this.spell(part, above));
    switch (shape.kind) {
      case "literal":
        if (this.isSecret(String(shape.value))) return leaf(`secret ${typeof shape.value}`, "Secret");
        return leaf(JSON.stringify(shape.value), plainName(String(shape.value)) || undefined);
      case "list": {
        const [element] = spellAll([shape.element]);
        return join(
          element ? [element] : [],
          ([key]) => `${key}[]`,
          ([label]) => `${label}Array`,
        );
      }
      case "union":
        return spellUnion(spellAll(unionParts(this.compiler, type, shape.members)));
      case "intersection":
        return join(spellAll(shape.members), (keys) => `(${keys.join("&")})`);
      case "tuple":
        return join(
          spellAll(shape.elements.map((element) => element.type)),
          (keys) => `[${keys.map((key, index) => `${shape.elements[index]!.presence} ${key}`).join(",")}]`,
        );
      case "template":
        if (shape.texts.some(this.isSecret)) return leaf("secret string", "Secret");
        return join(spellAll(shape.types), (keys) => `\`${JSON.stringify(shape.texts)}${keys.join(",")}\``);
      case "object":
        return this.spellObject(type, above);
      default:
        return { ...leaf(shape.kind, capital(shape.kind)), isOpen: shape.kind === "open" };
    }
  }

  private spellName(
    { name, scope, isLocal, declaration, arguments: given }: TypeName,
    above: readonly TypeRef[],
  ): Spelling {
    const path = declaration.origin === "library" ? "" : `${portablePath(this.root, declaration.file)}#`;
    const place = isLocal ? `@${declaration.line}:${declaration.column}` : "";
    const full = `${path}${[...scope, name].join(".")}${place}`;
    const own = name === "default" ? fileLabel(declaration.file) : plainName(name);
    if (given.length === 0) return leaf(full, own);
    return join(
      given.map((argument) => this.spell(argument, above)),
      (keys) => `${full}<${keys.join(",")}>`,
      (labels) => `${own}${labels.join("")}`,
    );
  }

  private spellObject(type: TypeRef, above: readonly TypeRef[]): Spelling {
    const { properties, indexes, isCallable } = this.compiler.membersOf(type);
    if (isCallable) return leaf("function");
    if (properties.length + indexes.length === 0) return leaf("{}", "Object");
    const types = [
      ...properties.map((property) => property.type),
      ...indexes.flatMap(({ key, value }) => [key, value]),
    ];
    const names = [...properties.map(({ name, isOptional }) => `${name}${isOptional ? "?" : ""}`)];
    const spelled = types.map((part) => this.spell(part, above));
    return join(
      spelled.map((each, index) => (isSensitiveName(names[index] ?? "") ? hashed(each) : each)),
      (keys) => shorten(`{${keys.map((key, index) => `${names[index] ?? ""}:${key}`).join(";")}}`),
    );
  }
}

function spellUnion(parts: readonly Spelling[]): Spelling {
  const keys = new Set(parts.map(({ key }) => key));
  if (keys.size === 2 && keys.has("true") && keys.has("false")) return leaf("boolean", "Boolean");
  return join(
    parts.toSorted((one, other) => (one.key < other.key ? -1 : 1)),
    (sorted) => shorten(`(${sorted.join("|")})`),
    (labels) => (labels.length > 4 ? undefined : labels.join("Or")),
  );
}

function leaf(key: string, label?: string): Spelling {
  return { key, label, depth: 0, isOpen: false };
}

function join(
  parts: readonly Spelling[],
  key: (keys: string[]) => string,
  label: (labels: string[]) => string | undefined = () => undefined,
): Spelling {
  const labels = parts.flatMap((part) => part.label ?? []);
  return {
    key: key(parts.map((part) => part.key)),
    label: labels.length === parts.length ? label(labels) : undefined,
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    isOpen: parts.some(({ isOpen }) => isOpen),
    isCut: parts.some(({ isCut }) => isCut),
  };
}

function shorten(key: string): string {
  return key.length > longestKey ? `{${createHash("sha256").update(key).digest("hex").slice(0, 16)}}` : key;
}

/** The values of a credential must not be in an identity. */
function hashed(spelling: Spelling): Spelling {
  return { ...spelling, key: `#${shortHash(spelling.key)}` };
}

export function shortHash(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 6);
}

/** OpenAPI allows letters, digits, dots, dashes and underscores in component names. */
export function plainName(name: string): string {
  return name
    .split(/[^A-Za-z0-9_]+/)
    .filter(Boolean)
    .map(capital)
    .join("");
}

function fileLabel(file: string): string {
  return plainName(file.replace(/.*[\\/]/, "").replace(/(\.d)?\.[cm]?[jt]sx?$/, "")) || "Default";
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
