/** The version of this package. A constant, because a bundled application has no package.json of Annex. */
export const annexVersion = "0.1.0";
