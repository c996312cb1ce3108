/** A content encoding that Annex can produce. */
export type Encoding = "br" | "gzip" | "zstd";

/** An encoding, or "identity" for a body that is sent unchanged. */
export type RankedEncoding = Encoding | "identity";

/** Lists the encodings that a client accepts, best first, given its Accept-Encoding header. */
export type RankEncodings = (header: string | undefined) => readonly RankedEncoding[];

/** Clients send few different headers. The limit is for those that do not. */
const maxKnownHeaders = 100;

/**
 * Negotiates the encoding of a response (RFC 9110, section 12.5.3). The order of `offered` decides between encodings
 * with the same weight. The result is empty if the client accepts none of them and not the unchanged body either.
 */
export function createNegotiation(offered: readonly Encoding[]): RankEncodings {
  const candidates: readonly RankedEncoding[] = [...offered, "identity"];
  const known = new Map<string, readonly RankedEncoding[]>();
  return (header) => {
    if (header === undefined) return unchanged;
    let ranked = known.get(header);
    if (ranked === undefined) {
      ranked = rank(candidates, parseWeights(header));
      if (known.size >= maxKnownHeaders) known.clear();
      known.set(header, ranked);
    }
    return ranked;
  };
}

const unchanged: readonly RankedEncoding[] = ["identity"];

function rank(
  candidates: readonly RankedEncoding[],
  weights: ReadonlyMap<string, number>,
): readonly RankedEncoding[] {
  const weightOf = (encoding: RankedEncoding) => weights.get(encoding) ?? impliedWeight(encoding, weights);
  return candidates
    .filter((encoding) => weightOf(encoding) > 0)
    .sort((one, other) => weightOf(other) - weightOf(one));
}

/**
 * The weight of an encoding that the header does not name. `*` means any encoding, and gzip is the one that every client
 * understands. The unchanged body is always acceptable, unless the header excludes it.
 */
function impliedWeight(encoding: RankedEncoding, weights: ReadonlyMap<string, number>): number {
  if (encoding === "gzip") return weights.get("*") ?? 0;
  return encoding === "identity" ? (weights.get("*") ?? Number.MIN_VALUE) : 0;
}

/** The weights by encoding, in lower case. Malformed entries are ignored. */
function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const entry of header.split(",")) {
    const [name = "", weight, ...rest] = entry.split(";").map((part) => part.trim().toLowerCase());
    const value = weight === undefined ? 1 : parseWeight(weight);
    if (name === "" || value === undefined || rest.length > 0) continue;
    weights.set(name === "x-gzip" ? "gzip" : name, value);
  }
  return weights;
}

function parseWeight(parameter: string): number | undefined {
  return /^q=(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(parameter) ? Number(parameter.slice(2)) : undefined;
}

const rankGzip = createNegotiation(["gzip"]);

/** Whether a client prefers gzip to the unchanged body. */
export function acceptsGzip(header: string | undefined): boolean {
  return rankGzip(header)[0] === "gzip";
}
