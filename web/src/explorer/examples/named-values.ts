/** Values that fit the name of a field, so that examples look like real data. The first match counts. */

const texts: readonly (readonly [RegExp, string])[] = [
  [/e-?mail/, "ada@example.com"],
  [/first_?name|given_?name/, "Ada"],
  [/last_?name|surname|family_?name/, "Lovelace"],
  [/user_?name|login|handle/, "ada"],
  [/file_?name/, "report.pdf"],
  [/host_?name|domain/, "example.com"],
  [/company|organi[sz]ation/, "Analytical Engines Ltd"],
  [/password|secret|token|key$/, "correct-horse-battery"],
  [/phone|mobile/, "+44 20 7946 0000"],
  [/url|uri|website|link|href/, "https://example.com/"],
  [/path/, "/reports/2026"],
  [/street|address/, "12 St James's Square"],
  [/city|town/, "London"],
  [/country/, "GB"],
  [/zip|post_?code|postal/, "SW1Y 4JH"],
  [/currency/, "GBP"],
  [/locale|language|lang$/, "en"],
  [/time_?zone|^tz$/, "Europe/London"],
  [/colou?r/, "#3b5bdb"],
  [/slug/, "analytical-engine"],
  [/version/, "1.0.0"],
  [/mime|content_?type/, "application/json"],
  [
    /(?:_at|ed_?at|date|time|due|deadline|until|since)$|^(?:created|updated|modified|changed|deleted|published|expires)$/,
    "2026-01-31T12:00:00Z",
  ],
  [/name|author|owner|person|user$/, "Ada Lovelace"],
  [/title|subject|headline/, "Notes on the engine"],
  [/description|summary|text|body|message|note|comment|content/, "A short text"],
  [/^id$|_id$|id$/, "01h9xg7k2v"],
  [/status|state/, "active"],
  [/tag|label|category|kind|type/, "example"],
  [/^q$|query|search|filter/, "engine"],
];

const numbers: readonly (readonly [RegExp, number])[] = [
  [/per_?page|limit|page_?size/, 20],
  [/price|amount|cost|total_?price/, 9.99],
  [/year/, 2026],
  [/^age$/, 36],
  [/lat/, 51.5],
  [/lng|lon/, -0.13],
  [/percent|progress/, 50],
  [/port$/, 8080],
  [/count|total|quantity|number_?of/, 3],
  [/^id$|_id$/, 42],
];

export function namedText(name: string): string | undefined {
  return find(texts, name);
}

export function namedNumber(name: string): number | undefined {
  return find(numbers, name);
}

/** `createdAt` is looked up as `created_at`. */
function find<T>(values: readonly (readonly [RegExp, T])[], name: string): T | undefined {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  return values.find(([pattern]) => pattern.test(words))?.[1];
}
