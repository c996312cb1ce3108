import type { MaxViewName, SavedView } from "../../../src/features/dashboard/wire.ts";

/** The page and the parameters of a saved view. */
export function parseView({ address }: Pick<SavedView, "address">): {
  page: string;
  params: URLSearchParams;
} {
  const [path = "", query = ""] = address.split("?", 2);
  return { page: path.split("/")[3] ?? "overview", params: new URLSearchParams(query) };
}

/** The views of a page, and those of the others, each sorted by name. */
export function groupViews(
  views: readonly SavedView[],
  page: string,
): Record<"here" | "elsewhere", SavedView[]> {
  const sorted = views.toSorted((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
  const isHere = (view: SavedView) => parseView(view).page === page;
  return { here: sorted.filter(isHere), elsewhere: sorted.filter((view) => !isHere(view)) };
}

export const maxNameLength: MaxViewName = 80;

/** Parameters whose values say what a view shows, in the order of the name. */
const namingParams = [
  "tab",
  "q",
  "find",
  "kind",
  "account",
  "actor",
  "address",
  "job",
  "route",
  "op",
  "schema",
  "option",
  "trace",
  "instance",
];

interface NameParts {
  /** The title of the page. */
  readonly title: string;
  readonly params: URLSearchParams;
  /** The time range in words. */
  readonly range: string;
  /** Names that other views have. */
  readonly taken: readonly string[];
}

/** A name such as "Logs · level:error · last 1h" that no other view has. */
export function suggestName({ title, params, range, taken }: NameParts): string {
  const values = namingParams.flatMap((name) => params.get(name)?.trim() || []);
  const lower = new Set(taken.map((name) => name.toLowerCase()));
  const isFree = (name: string) => !lower.has(name.toLowerCase());
  const suggested = shorten([title, ...values, range].join(" · "), maxNameLength);
  if (isFree(suggested)) return suggested;
  for (let count = 2; ; count++) {
    const numbered = `${shorten(suggested, maxNameLength - 4)} ${count}`;
    if (isFree(numbered)) return numbered;
  }
}

/** Does not cut a character in two. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
