import type { Resource } from "./resource.ts";

/** The types that both our project and the one of tsoa have. */

export const pageSource = `export interface Paging {
  page: number;
  perPage: number;
}

export interface Page<T> extends Paging {
  items: T[];
  totalItems: number;
}

export interface Envelope<T> {
  data: T;
  meta: { madeAt: string; took: number };
}
`;

export function typesSource({ name, fields, neighbour, path }: Resource): string {
  const members = fields.map((field) => `  ${field.name}: ${field.type};`).join("\n");
  return `export type ${name}Status = "draft" | "active" | "closed";

export interface ${name}Reference {
  kind: "${path}";
  id: string;
}

export interface New${name} {
${members}
  note?: string;
}

export interface ${name} extends New${name} {
  id: string;
  status: ${name}Status;
  created: string;
  related: ${neighbour}Reference | null;
}

export type ${name}Changes = Partial<New${name}>;

export interface ${name}Summary {
  total: number;
  byStatus: Record<${name}Status, number>;
  newest: Pick<${name}, "id" | "created"> | null;
}

export type ${name}Event =
  | { type: "created"; at: string; by: string }
  | { type: "changed"; at: string; fields: string[] }
  | { type: "closed"; at: string; reason: string | null };

export type ${name}Search = { state: "ready"; found: ${name}[] } | { state: "pending"; retryAfter: number };

export interface ${name}Relation {
  target: ${neighbour}Reference;
  strength: number;
  comment?: string;
}
`;
}
