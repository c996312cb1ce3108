/**
 * Writes what is derived from the declarations of options: the interface `AppOptions`, with its comments, and the tables
 * in `docs/configuration.md`. Run `npm run update:options` after a change of an option or a store.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listOptionSets } from "../src/app/config/config.ts";
import { listConditions, listStores } from "../src/app/databases.ts";
import { features } from "../src/app/features.ts";
import type { Option } from "../src/lib/options/option.ts";
import { groupsOf, nameOf, type OptionSet } from "../src/lib/options/option-set.ts";
import { fileOf, listContents, type Retention } from "../src/storage/index.ts";

const root = join(import.meta.dirname, "..");
export const typesFile = join(root, "src/app/config/options.ts");
export const docsFile = join(root, "docs/configuration.md");
export const healthFile = join(root, "docs/metrics.md");

/** The source of `AppOptions`. */
export function renderTypes(): string {
  const sets = listOptionSets();
  const flat = sets.filter(({ isFlat }) => isFlat);
  const groups = Map.groupBy(
    sets.filter(({ isFlat }) => !isFlat),
    ({ group }) => group,
  );
  const infos = new Map(groupsOf(sets).map((info) => [info.name, info]));
  const describeGroup = (group: string) => infos.get(group)?.about ?? `Options of ${group}.`;
  const members = [
    ...flat.flatMap(renderMembers),
    ...[...groups.keys()].map(
      (group) => `  /** ${describeGroup(group)} */\n  ${group}?: ${typeName(group)};`,
    ),
  ];
  return `// Generated from the declarations of options by scripts/update-options.ts. Do not edit.
import type { Writable } from "node:stream";
import type { APIVersionManager } from "../../features/docs/index.ts";
import type { LogFormat, LogLevel, LogLevelNumber } from "../../features/logging/index.ts";
import type { Migration } from "../../storage/index.ts";

/**
 * Options of \`createApp\`. All options have defaults. Options passed in code override environment variables.
 *
 * \`\`\`ts
 * const app = createApp({ port: 3000, log: { retentionHours: 48 } });
 * \`\`\`
 */
export interface AppOptions {
${members.join("\n")}
}
${[...groups].map(([group, own]) => renderGroup(group, describeGroup(group), own)).join("")}`;
}

function renderGroup(group: string, about: string, sets: readonly OptionSet[]): string {
  const members = sets.flatMap(renderMembers).join("\n");
  return `\n/** ${about} */\nexport interface ${typeName(group)} {\n${members}\n}\n`;
}

function renderMembers({ options }: OptionSet): string[] {
  return Object.entries(options).map(
    ([key, option]) => `  /** ${describeInCode(option)} */\n  ${key}?: ${option.type};`,
  );
}

function describeInCode({ about, defaultText, env }: Option): string {
  const plain = defaultText.replaceAll("`", "");
  const environment = env.length === 0 ? "" : ` Environment ${env.join(" or ")}.`;
  return `${about} Default: ${plain}.${environment}`;
}

function typeName(group: string): string {
  return `${group[0]!.toUpperCase()}${group.slice(1)}Options`;
}

/** The documentation with the current tables, and the current list of options that can be changed at run time. */
export function renderDocs(text: string): string {
  const sets = listOptionSets();
  const rows = sets.flatMap((set) =>
    Object.entries(set.options).map(([key, option]) => renderRow(nameOf(set, key), option)),
  );
  const table = ["| Option | Environment | Default | Description |", "|---|---|---|---|", ...rows].join("\n");
  const changeable = sets.map((set) =>
    Object.entries(set.options)
      .filter(([, { runtime }]) => runtime !== undefined)
      .map(([key]) => `\`${nameOf(set, key)}\``),
  );
  const list = changeable
    .filter((names) => names.length > 0)
    .map((names) => `- ${names.join(", ")}`)
    .join("\n");
  const parts = {
    options: table,
    "run-time options": list,
    deletions: renderDeletions(sets),
    data: renderData(),
  };
  return Object.entries(parts).reduce((done, [name, content]) => replaceBetween(done, name, content), text);
}

/** The documentation of the health status with the current conditions. */
export function renderHealth(text: string): string {
  const rows = listConditions(features).map(
    ({ condition, degraded = "", failing = "" }) => `| ${condition} | ${degraded} | ${failing} |`,
  );
  const table = ["| Condition | `degraded` | `failing` |", "|---|---|---|", ...rows].join("\n");
  return replaceBetween(text, "conditions", table);
}

/** When data is deleted after an option was lowered. */
function renderDeletions(sets: readonly OptionSet[]): string {
  const rows = sets.flatMap((set) =>
    Object.entries(set.options).flatMap(([key, { effect }]) =>
      effect?.kind === "age" || effect?.kind === "size"
        ? [`| \`${nameOf(set, key)}\` | ${effect.data} | ${effect.when} |`]
        : [],
    ),
  );
  return ["| Option | Data | Deleted |", "|---|---|---|", ...rows].join("\n");
}

/** What is stored where, and how long. */
function renderData(): string {
  const stores = listStores(features).filter(({ contents }) => contents.length > 0);
  const rows = stores.map((store) => {
    const kept = (store.retention ?? []).map(describeRetention).join("; ");
    const limit = store.limit === undefined ? "" : `\`${store.limit.option}\``;
    return `| ${listContents([store])} | \`${fileOf(store)}\` | ${kept} | ${limit} |`;
  });
  return ["| Data | File | Stored | Maximum size |", "|---|---|---|---|", ...rows].join("\n");
}

function describeRetention(retention: Retention): string {
  const time = "words" in retention ? retention.words : `for \`${retention.option}\``;
  return [[retention.of, time].filter(Boolean).join(" "), retention.note].filter(Boolean).join(", ");
}

function renderRow(name: string, { env, defaultText, about, more }: Option): string {
  const variables = env.map((each) => `\`${each}\``).join(", then ");
  const fallback =
    /^[\w./-]+$/.test(defaultText) && defaultText !== "none" && defaultText !== "all"
      ? `\`${defaultText}\``
      : defaultText;
  return `| \`${name}\` | ${variables} | ${fallback} | ${[about, more].filter(Boolean).join(" ")} |`;
}

function replaceBetween(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`There is no ${start} … ${end}.`);
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
}

if (import.meta.main) {
  writeFileSync(typesFile, renderTypes());
  writeFileSync(docsFile, renderDocs(readFileSync(docsFile, "utf8")));
  writeFileSync(healthFile, renderHealth(readFileSync(healthFile, "utf8")));
}
