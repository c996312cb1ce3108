import type { Response, Schema } from "../../model/openapi.ts";
import { eachReference } from "./walk.ts";

interface Available {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Picked {
  readonly schemas: Record<string, Schema>;
  readonly responses: Record<string, Response>;
}

/** The referenced components, including those that they refer to in turn. */
export function pickReferenced(references: Iterable<string>, available: Available): Picked {
  const picked: Picked = { schemas: {}, responses: {} };
  const take = (reference: string): void => {
    const [kind, name] = parse(reference) ?? [];
    if (!kind || !name || Object.hasOwn(picked[kind], name) || !Object.hasOwn(available[kind], name)) return;
    const found = available[kind][name]!;
    Object.assign(picked[kind], { [name]: found });
    eachReference(found, take);
  };
  for (const reference of references) take(reference);
  return picked;
}

type Kind = keyof Available;

function parse(reference: string): [Kind, string] | undefined {
  const match = /^#\/components\/(schemas|responses)\/(.+)$/.exec(reference);
  return match ? [match[1] as Kind, match[2]!] : undefined;
}
