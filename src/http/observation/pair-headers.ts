/** Converts a list of headers, flat or in pairs, to an object. */
export function pairHeaders(list: readonly unknown[]): Record<string, unknown> {
  const flat = Array.isArray(list[0]) ? list.flat(1) : list;
  const headers: Record<string, unknown> = {};
  for (let index = 0; index < flat.length; index += 2) {
    const name = String(flat[index]);
    const earlier = headers[name];
    headers[name] = earlier === undefined ? flat[index + 1] : [earlier, flat[index + 1]].flat();
  }
  return headers;
}
