import type { Schema } from "../../model/openapi.ts";
import { eachReference } from "../../openapi/components/walk.ts";
import type { RawComponent, RawSchema } from "../types/query.ts";
import { textsIn, withoutTexts, withoutValues } from "./redact-schema.ts";

export type FindComponent = (identity: string) => RawComponent | undefined;

/**
 * The schemas of an operation that denies access because of its body or its query. They are documented without values, and
 * the responses without their values. Other operations keep the original components, so this one gets copies.
 */
export class SecretBodies {
  readonly components: Record<string, RawComponent> = {};
  private readonly find: FindComponent;
  private readonly texts = new Set<string>();

  constructor(find: FindComponent) {
    this.find = find;
  }

  hideValues(schema: Schema): Schema {
    this.noteValues(schema as RawSchema);
    return withoutValues(schema as RawSchema, this.refer).schema as Schema;
  }

  /** Responses must not contain the values of this schema. */
  noteValues(schema: RawSchema): void {
    for (const each of [schema, ...reachableSchemas(schema, this.find)]) collectTexts(each, this.texts);
  }

  /**
   * Called only after all bodies and queries are known. A component that contains one of their values is documented without values.
   */
  hideInResponse(schema: Schema): Schema {
    const isSecret = (text: string) => this.texts.has(text);
    const contains = (each: RawSchema) => withoutTexts(each, isSecret).isWider;
    const refer = (identity: string) => (this.has(identity, contains) ? this.refer(identity) : identity);
    return withoutTexts(schema as RawSchema, isSecret, refer).schema as Schema;
  }

  /** The copy of a component, or the component itself if neither it nor its references contain values. */
  private readonly refer = (identity: string): string => {
    const copy = `${identity} without values`;
    const component = this.find(identity);
    if (this.components[copy]) return copy;
    if (!component || !this.has(identity, (each) => withoutValues(each).isWider)) return identity;
    const named = { ...component, name: `${component.name}WithoutValues` };
    // A component may refer to itself.
    this.components[copy] = named;
    this.components[copy] = { ...named, schema: withoutValues(component.schema, this.refer).schema };
    return copy;
  };

  private has(identity: string, test: (schema: RawSchema) => boolean): boolean {
    const component = this.find(identity);
    if (component === undefined) return false;
    return [component.schema, ...reachableSchemas(component.schema, this.find)].some(test);
  }
}

/** The schemas of all components that a schema refers to, directly or indirectly. */
export function reachableSchemas(schema: RawSchema, find: FindComponent): RawSchema[] {
  const found = new Map<string, RawSchema>();
  const visit = (value: unknown): void =>
    eachReference(value, (identity) => {
      const component = found.has(identity) ? undefined : find(identity);
      if (!component) return;
      found.set(identity, component.schema);
      visit(component.schema);
    });
  visit(schema);
  return [...found.values()];
}

const valueKeywords = new Set(["enum", "const", "default", "example", "examples"]);

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [keyword, each] of Object.entries(value)) {
    if (valueKeywords.has(keyword)) for (const text of textsIn(each)) if (text !== "") texts.add(text);
    collectTexts(each, texts);
  }
}
