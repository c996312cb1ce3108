import type { Place } from "../shape.ts";

/** The subject of a description, for messages and for the order of literals. */
export interface Subject {
  readonly name: string;
  readonly place: Place | undefined;
  /** The source of its declaration. */
  readonly declaredAs: string;
}
