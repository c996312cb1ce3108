import { refuseUnknown } from "../../lib/options/only-known.ts";

/** Options of `staticFiles`. */
export interface StaticFilesOptions {
  /** The file that is sent for a folder, or `false`. Default `"index.html"`. */
  index?: string | false;
  /**
   * The file that is sent to browsers that navigate to an unknown path, such as `"index.html"` for a single-page
   * application. Default none: the response is `404`.
   */
  fallback?: string;
  /** For how many seconds clients can use a file without asking again. Default 0. */
  maxAge?: number;
  /** Files whose name changes with their content, such as `/^assets\//`. Clients keep them for a year. Default none. */
  immutable?: RegExp;
  /** Whether a file with `.br`, `.zst` or `.gz` appended is sent to clients that accept it. Default false. */
  precompressed?: boolean;
  /** Whether to send files and folders whose name starts with a dot. `.well-known` is always sent. Default false. */
  dotfiles?: boolean;
  /** Content types by extension, in addition to the usual ones: `{ gltf: "model/gltf+json" }`. */
  types?: Record<string, string>;
}

export type StaticFilesSettings = Readonly<
  Required<Omit<StaticFilesOptions, "fallback" | "immutable">> & {
    fallback: string | undefined;
    immutable: RegExp | undefined;
  }
>;

export function readStaticOptions(options: StaticFilesOptions): StaticFilesSettings {
  refuseUnknown<StaticFilesOptions>("staticFiles", options, {
    index: true,
    fallback: true,
    maxAge: true,
    immutable: true,
    precompressed: true,
    dotfiles: true,
    types: true,
  });
  const {
    index = "index.html",
    fallback,
    maxAge = 0,
    immutable,
    precompressed = false,
    dotfiles = false,
    types = {},
  } = options;
  expect(index === false || isName(index), 'the name of a file or false for index, such as "index.html"');
  expect(fallback === undefined || isName(fallback), 'the path of a file for fallback, such as "index.html"');
  expect(Number.isSafeInteger(maxAge) && maxAge >= 0, "a whole number of seconds for maxAge");
  expect(
    immutable === undefined || immutable instanceof RegExp,
    "a regular expression for immutable, such as /^assets\\//",
  );
  return { index, fallback, maxAge, immutable, precompressed, dotfiles, types };
}

/** A path below the folder. */
function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !/^\/|\/$/.test(value);
}

function expect(isMet: boolean, expected: string): void {
  if (!isMet) throw new TypeError(`staticFiles expects ${expected}.`);
}
