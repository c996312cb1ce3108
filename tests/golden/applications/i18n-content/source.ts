// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { announce, isLanguage, type Language, languageOf } from "./languages.ts";

interface Translation {
  title: string;
  markdown: string;
  summary?: string;
}

interface LocalizedPage extends Translation {
  slug: string;
  language: Language;
  translations: Language[];
}

interface LanguageInfo {
  tag: Language;
  name: string;
  direction: "ltr" | "rtl";
}

interface ContentStore {
  pages(): Promise<Map<string, Map<Language, Translation>>>;
  page(slug: string): Promise<Map<Language, Translation> | undefined>;
  save(slug: string, language: Language, translation: Translation): Promise<{ created: boolean }>;
  messages(namespace: string, language: Language): Promise<Record<string, string> | null>;
}

declare const store: ContentStore;

const INFO: LanguageInfo[] = [
  { tag: "en", name: "English", direction: "ltr" },
  { tag: "de", name: "Deutsch", direction: "ltr" },
  { tag: "fr", name: "Français", direction: "ltr" },
];

/** Returns a page in the best language there is. */
async function getPage(e: RequestEvent<"slug">) {
  const slug = e.pathValue("slug");
  const versions = await store.page(slug);
  if (!versions) throw e.error(404, "There is no such page.");
  const wanted = languageOf(e);
  const language = versions.has(wanted) ? wanted : "en";
  const translation = versions.get(language);
  if (!translation) throw e.error(404, "The page is not translated yet.");
  announce(e, language);
  const page: LocalizedPage = { ...translation, slug, language, translations: [...versions.keys()] };
  return e.json(200, page);
}

/** Lists the titles of all pages. */
async function listPages(e: RequestEvent) {
  const language = languageOf(e);
  const titles: { slug: string; title: string | null }[] = [];
  for (const [slug, versions] of await store.pages()) {
    titles.push({ slug, title: versions.get(language)?.title ?? null });
  }
  announce(e, language);
  return e.json(200, titles);
}

/** Saves the translation of a page. */
async function putTranslation(e: RequestEvent<"slug" | "language">) {
  const language = e.pathValue("language");
  if (!isLanguage(language)) throw e.error(404, "We do not speak this language.");
  const translation = await e.bindBody<Translation>();
  const { created } = await store.save(e.pathValue("slug"), language, translation);
  return created ? e.json(201, translation) : e.noContent();
}

/** Returns the texts of a part of the interface. */
async function getMessages(e: RequestEvent<"namespace">) {
  const language = languageOf(e);
  const messages = await store.messages(e.pathValue("namespace"), language);
  if (messages === null) throw e.error(404, "There are no such texts.");
  announce(e, language);
  return e.json(200, messages);
}

/** Lists the languages. */
const listLanguages = (e: RequestEvent) => e.json(200, INFO);

export function routes(router: VersionedRouter): void {
  router.get("/pages", listPages);
  router.get("/pages/{slug}", getPage);
  router.put("/pages/{slug}/translations/{language}", putTranslation);
  router.get("/messages/{namespace}", getMessages);
  router.get("/languages", listLanguages);
}
