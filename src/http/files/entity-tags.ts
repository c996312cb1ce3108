/**
 * Whether a list of entity tags contains a tag, as in If-None-Match. Ignores `W/`: a weak tag means the same content,
 * and compression makes tags weak.
 */
export function includesTag(list: string, tag: string): boolean {
  const opaque = withoutWeakness(tag);
  return list.trim() === "*" || list.split(",").some((each) => withoutWeakness(each.trim()) === opaque);
}

/** The same for strong comparison, as in If-Match: weak tags are never equal. */
export function includesStrongTag(list: string, tag: string): boolean {
  if (list.trim() === "*") return true;
  return !tag.startsWith("W/") && list.split(",").some((each) => each.trim() === tag);
}

const withoutWeakness = (tag: string) => (tag.startsWith("W/") ? tag.slice(2) : tag);
