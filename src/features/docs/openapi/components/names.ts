import type { NamedSchema } from "../../model/facts.ts";
import type { Schema } from "../../model/openapi.ts";
import { listReferences } from "./walk.ts";

type Available = Readonly<Record<string, NamedSchema>>;

type Component = Pick<NamedSchema, "schema">;

/** Assigns names to all referenced schemas and writes these names into the references. */
export function settleNames<T>(
  root: T,
  available: Available,
  taken: readonly string[],
): { root: T; schemas: Record<string, Schema> } {
  const { used } = collectUsed(listReferences(root), available);
  const names = chooseNames(used, available, taken);
  const schemas = [...names].map(([identity, name]) => {
    const { schema, source } = available[identity]!;
    return [name, withSource(rename(schema, { names }), source)] as const;
  });
  return { root: rename(root, { names }), schemas: Object.fromEntries(schemas) };
}

/** A reference is left as is: readers ignore keywords next to `$ref`. */
export function withSource(schema: Schema, source: string | undefined): Schema {
  return source === undefined || "$ref" in schema ? schema : { ...schema, "x-source": source };
}

/** The schemas behind these references, including the ones they refer to in turn, and the other references. */
export function collectUsed<C extends Component>(
  references: Iterable<string>,
  available: Readonly<Record<string, C>>,
  referencesIn: (component: C) => readonly string[] = ({ schema }) => listReferences(schema),
): { used: ReadonlySet<string>; others: ReadonlySet<string> } {
  const used = new Set<string>();
  const others = new Set<string>();
  const visit = (identity: string): void => {
    if (used.has(identity) || others.has(identity)) return;
    const known = Object.hasOwn(available, identity) ? available[identity]! : undefined;
    (known ? used : others).add(identity);
    if (known) for (const inner of referencesIn(known)) visit(inner);
  };
  for (const reference of references) visit(reference);
  return { used, others };
}

/**
 * The names of schemas in a document, by identity. Schemas with the same preferred name are distinguished by their
 * files, independent of the order in which they were found.
 */
export function chooseNames(
  identities: Iterable<string>,
  available: Available,
  reserved: readonly string[],
): Map<string, string> {
  const taken = new Set(reserved);
  const wishes = Map.groupBy([...identities].sort(), (identity) => clean(available[identity]!.name));
  const names = new Map<string, string>();
  const settle = (identity: string, wish: string) => {
    let name = wish;
    for (let count = 2; taken.has(name); count++) name = `${wish}${count}`;
    taken.add(name);
    names.set(identity, name);
  };
  const contested: [string, string[]][] = [];
  for (const [wish, group] of wishes) {
    if (group.length === 1 && !taken.has(wish)) settle(group[0]!, wish);
    else contested.push([wish, group]);
  }
  for (const [wish, group] of contested) {
    const prefixes = makeUnique(group.map((identity) => available[identity]!.file));
    group.forEach((identity, index) => {
      settle(identity, prefixes[index]! + wish);
    });
  }
  return names;
}

/** The shortest path endings that distinguish the files, as words: `v1/todo.ts` becomes `V1Todo`. */
function makeUnique(files: readonly string[]): string[] {
  const paths = files.map((file) =>
    file
      .replace(/(\.d)?\.[cm]?[jt]sx?$/, "")
      .split("/")
      .filter(Boolean),
  );
  const ends = (length: number) => paths.map((path) => path.slice(-length).map(pascal).join(""));
  const longest = Math.max(...paths.map(({ length }) => length));
  const distinct = new Set(files).size;
  for (let length = 1; length < longest; length++)
    if (new Set(ends(length)).size === distinct) return ends(length);
  return ends(longest);
}

function pascal(text: string): string {
  return text
    .replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, __, letter: string) => letter.toUpperCase())
    .replace(/[^A-Za-z0-9]/g, "");
}

/** Component names allow only ASCII characters. Accented letters lose their accents; other characters are dropped. */
const clean = (name: string) =>
  name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9._-]/g, "") || "Schema";

const prefix = "#/components/schemas/";

interface Renaming {
  readonly names: ReadonlyMap<string, string>;
  /** Default true. */
  readonly showsSources?: boolean;
}

/** The same value with schema names in its references. */
export function rename<T>(value: T, renaming: Renaming): T {
  return renameIn(value, renaming) as T;
}

function renameIn(value: unknown, renaming: Renaming): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => renameIn(each, renaming));
  const renamed: Record<string, unknown> = {};
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (key === "$ref") renamed[key] = nameOf(inner, renaming.names);
    else if (key === "mapping") renamed[key] = renameMapping(inner, renaming);
    else if (key !== "x-source" || renaming.showsSources !== false)
      renamed[key] = typeof inner === "object" ? renameIn(inner, renaming) : inner;
  }
  return renamed;
}

/** Renames the values of a discriminator's mapping. A schema field called `mapping` is left as is. */
function renameMapping(mapping: unknown, renaming: Renaming): unknown {
  if (typeof mapping !== "object" || mapping === null) return mapping;
  const entries = Object.entries(mapping).map(([word, value]) => [
    word,
    typeof value === "string" ? nameOf(value, renaming.names) : renameIn(value, renaming),
  ]);
  return Object.fromEntries(entries);
}

function nameOf(identity: unknown, names: ReadonlyMap<string, string>): unknown {
  const name = typeof identity === "string" ? names.get(identity) : undefined;
  return name === undefined ? identity : prefix + name;
}
