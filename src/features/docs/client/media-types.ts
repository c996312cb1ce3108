/** How a client sends and reads bodies. `templates/client/runtime.ts` makes the same distinctions. */

export function isJsonType(type: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(type);
}

const forms = ["multipart/form-data", "application/x-www-form-urlencoded"];

export const isFormType = (type: string): boolean => forms.includes(type);

/** The type in which a client sends a body that can have several: JSON if possible, then a form. */
export function chooseBodyType(types: readonly string[]): string | undefined {
  return types.find(isJsonType) ?? forms.find((form) => types.includes(form)) ?? types[0];
}

/** The type of the data of a response, or `undefined` if its schema says it. */
export function dataTypeOf(type: string): string | undefined {
  if (isJsonType(type)) return undefined;
  if (type.includes("*")) return "unknown";
  if (/^text\/event-stream\b/i.test(type)) return "AsyncIterable<ApiEvent>";
  if (/^application\/(x-ndjson|json-seq)\b/i.test(type)) return "ReadableStream<Uint8Array>";
  return /^text\//i.test(type) ? "string" : "Blob";
}
