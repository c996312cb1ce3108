/** The limits of one piece of a document. Larger schemas are unreadable, and some types are infinite. */
export const limits = {
  /** The nesting depth of types without a name. */
  depth: 32,
  /** The number of types in one piece. */
  nodes: 1_500,
  /** The number of members of a union, or of properties of an object. */
  members: 500,
  /** The nesting depth of type arguments: `Deep<T>` that contains `Deep<T[]>` is infinite. */
  argumentDepth: 6,
  /** The number of components that one piece refers to, directly and indirectly. */
  components: 500,
} as const;
