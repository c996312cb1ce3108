/**
 * The names of the types of a client, by the names of the schemas. A name that is an identifier and not reserved stays
 * as it is. The others depend only on the schemas, so a client keeps its names.
 */
export function chooseTypeNames(
  schemas: readonly string[],
  reserved: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const choose = (schema: string, wanted: string) => {
    let name = wanted;
    for (let count = 2; taken.has(name) || reserved.has(name); count++) name = `${wanted}${count}`;
    taken.add(name);
    names.set(schema, name);
  };
  const isUsable = (schema: string) => toIdentifier(schema) === schema && !reserved.has(schema);
  for (const schema of schemas.filter(isUsable)) choose(schema, schema);
  for (const schema of schemas.filter((each) => !isUsable(each)).toSorted()) {
    const identifier = toIdentifier(schema);
    choose(schema, reserved.has(identifier) ? `${identifier}Schema` : identifier);
  }
  return names;
}

/** An identifier with a capital letter, so it cannot be a keyword: `order-line` becomes `OrderLine`. */
function toIdentifier(schema: string): string {
  const words = schema.split(/[^\p{ID_Continue}]+/u).filter(Boolean);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[\p{ID_Start}_]/u.test(name) ? name : `Schema${name}`;
}
