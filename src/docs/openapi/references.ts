import type { Response, Schema } from "./types.ts";
import { eachReference } from "./walk.ts";

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
  const visit = (value: unknown): void =>
    eachReference(value, (reference) => {
      const [kind, name] = parse(reference) ?? [];
      if (!kind || !name || found[kind].has(name) || !Object.hasOwn(available[kind], name)) return;
      found[kind].add(name);
      visit(available[kind][name]);
    });
  visit(root);
  const pick = <T>(from: Readonly<Record<string, T>>, names: Set<string>) =>
    Object.fromEntries([...names].sort().map((name) => [name, from[name]!]));
  return {
    ...(found.schemas.size > 0 && { schemas: pick(available.schemas, found.schemas) }),
    ...(found.responses.size > 0 && { responses: pick(available.responses, found.responses) }),
  };
}

type Kind = keyof Available;

function parse(reference: string): [Kind, string] | undefined {
  const match = /^#\/components\/(schemas|responses)\/(.+)$/.exec(reference);
  return match ? [match[1] as Kind, match[2]!] : undefined;
}
