/** Calls back with every `$ref` inside a value. Documents are large and this runs often, so it allocates nothing. */
export function eachReference(value: unknown, onReference: (reference: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const inner of value) eachReference(inner, onReference);
    return;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (key === "$ref" && typeof inner === "string") onReference(inner);
    else if (typeof inner === "object") eachReference(inner, onReference);
  }
}

/** Every distinct `$ref` inside a value. */
export function listReferences(value: unknown): string[] {
  const found = new Set<string>();
  eachReference(value, (reference) => found.add(reference));
  return [...found];
}
