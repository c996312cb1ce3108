import { readFileSync } from "node:fs";

/** Next to the `src` folder of the repository and the `dist` folder of the package. */
const folder = new URL("../../../../templates/client/", import.meta.url);
const file = new URL("runtime.ts", folder);

const separator = /^\/\/ -+\r?\n\r?\n?/m;

export interface ClientTemplate {
  /** The source of the functions and types that all clients share. */
  readonly source: string;
  /** The names that its types use and declare. Types of an API must have other names. */
  readonly names: ReadonlySet<string>;
}

export function readTemplate(): ClientTemplate {
  const [, source] = readFileSync(file, "utf8").replaceAll("\r\n", "\n").split(separator);
  if (source === undefined) throw new Error(`The template of clients has no separator: ${file.pathname}`);
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|"(?:[^"\\\n]|\\.)*"/gm, "");
  return { source, names: new Set([...(code.match(/\b[A-Z]\w*/g) ?? []), ...globalTypes]) };
}

/** Types that the generated part uses, and names of `lib.d.ts` that would surprise a reader. */
const globalTypes = [
  ...[
    "ApiRoutes",
    "ApiCredentials",
    "ApiEvent",
    "AsyncIterable",
    "ReadableStream",
    "Uint8Array",
    "ArrayBuffer",
  ],
  ...[
    "Array",
    "Blob",
    "Boolean",
    "Date",
    "File",
    "FormData",
    "Function",
    "Iterable",
    "Map",
    "Number",
    "Object",
  ],
  ...["Partial", "Pick", "Promise", "Readonly", "Record", "Request", "Set", "String", "Symbol", "URL"],
];
