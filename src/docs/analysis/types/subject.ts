import type { Place } from "./shape.ts";

/** What is being described, for messages and for the order of literals. */
export interface Subject {
  readonly name: string;
  readonly place: Place | undefined;
  /** The source that declares it. */
  readonly declaredAs: string;
}
