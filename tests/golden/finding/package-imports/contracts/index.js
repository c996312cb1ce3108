export function contractOf(id) {
  return { id, version: 1 };
}
