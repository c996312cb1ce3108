// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

interface Currency {
  iso: string;
  digits: number;
}

interface Country {
  iso: string;
  name: string;
  inUnion: boolean;
}

const currencies: Currency[] = [];
const countries: Country[] = [];
const languages = new Map<string, string>();

/** List the currencies that can be paid with. */
export function listCurrencies(e: RequestEvent) {
  return e.json(200, currencies);
}

export function listCountries(e: RequestEvent) {
  const inUnion = e.query("inUnion");
  if (inUnion === undefined) return e.json(200, countries);
  return e.json(
    200,
    countries.filter((country) => country.inUnion === (inUnion === "true")),
  );
}

/** List the languages of the site, by their tags. */
export async function listLanguages(e: RequestEvent) {
  if (languages.size === 0) throw e.error(503, "The languages have not been loaded.");
  const byTag: Record<string, string> = Object.fromEntries(languages);
  return e.json(200, byTag);
}
