import type { Response, Schema } from "./types.ts";

interface Available {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Picked {
  schemas?: Record<string, Schema>;
  responses?: Record<string, Response>;
}

/** The components that something refers to, and those that they refer to in turn; sorted by name. */
export function pickReferenced(root: unknown, available: Available): Picked {
  const found = { schemas: new Set<string>(), responses: new Set<string>() };
  const visit = (value: unknown): void => {
    for (const [kind, name] of referencesIn(value)) {
      if (found[kind].has(name) || !Object.hasOwn(available[kind], name)) continue;
      found[kind].add(name);
      visit(available[kind][name]);
    }
  };
  visit(root);
  const pick = <T>(from: Readonly<Record<string, T>>, names: Set<string>) =>
    Object.fromEntries([...names].sort().map((name) => [name, from[name]!]));
  return {
    ...(found.schemas.size > 0 && { schemas: pick(available.schemas, found.schemas) }),
    ...(found.responses.size > 0 && { responses: pick(available.responses, found.responses) }),
  };
}

type Kind = keyof Available;

function* referencesIn(value: unknown): Generator<[Kind, string]> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const match =
      key === "$ref" && typeof inner === "string"
        ? /^#\/components\/(schemas|responses)\/(.+)$/.exec(inner)
        : null;
    if (match) yield [match[1] as Kind, match[2]!];
    else yield* referencesIn(inner);
  }
}
