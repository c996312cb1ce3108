/** The version of a client, or why none can be chosen. */
export type VersionChoice = { readonly version: string } | { readonly problem: string };

/**
 * If there are several versions, one must be named. A default could change, and clients would change to another version
 * unnoticed.
 */
export function chooseVersion(labels: readonly string[], wanted: string | undefined): VersionChoice {
  const [only, another] = labels;
  if (only === undefined)
    return { problem: "The application has no routes. Add routes in app.onServe or to a version." };
  if (wanted !== undefined) {
    if (labels.includes(wanted)) return { version: wanted };
    return { problem: `Unknown version "${wanted}". The application has: ${labels.join(", ")}.` };
  }
  if (another === undefined) return { version: only };
  return { problem: `The application has several versions. Specify one of: ${labels.join(", ")}.` };
}
