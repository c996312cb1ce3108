/** The first few names, and the number of the others. */
export function joinSome(names: readonly string[], most = 4): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(", ")} and ${more} more` : names.join(", ");
}
