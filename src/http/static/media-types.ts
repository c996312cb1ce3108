import { extname } from "node:path";
import { mimes } from "mrmime";

/** The content type of a file by its extension. `types` adds to the known types, or replaces them. */
export function mediaTypeOf(name: string, types: Readonly<Record<string, string>>): string {
  const extension = extname(name).slice(1).toLowerCase();
  const own = Object.hasOwn(types, extension) ? types[extension] : undefined;
  if (own !== undefined) return own;
  const type = Object.hasOwn(mimes, extension) ? mimes[extension]! : "application/octet-stream";
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}
