/** Limits of one piece of a document. Beyond them nobody reads a schema, and some types never end. */
export const limits = {
  /** How deep types without a name are nested. */
  depth: 32,
  /** How many types one piece describes. */
  nodes: 1_500,
  /** How many members a union has, or properties an object. */
  members: 500,
  /** How deep type arguments are nested: `Deep<T>` with a `Deep<T[]>` inside has no end. */
  argumentDepth: 6,
  /** How many components one piece refers to, directly and through others. */
  components: 500,
} as const;
