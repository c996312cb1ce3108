/** All requests without a matching route are counted together, regardless of their path. */
export const unmatchedName = "(no route)";
/** Routes above the limit are counted together. */
export const otherName = "(other routes)";
