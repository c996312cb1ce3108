/**
 * Writes what is derived from the declarations of options: the interface `AppOptions`, with its comments, and the table
 * in `docs/configuration.md`. Run `npm run update:options` after a change of an option.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listOptionSets } from "../src/app/config/config.ts";
import type { Option } from "../src/lib/options/option.ts";
import { nameOf, type OptionSet } from "../src/lib/options/option-set.ts";

const root = join(import.meta.dirname, "..");
export const typesFile = join(root, "src/app/config/options.ts");
export const docsFile = join(root, "docs/configuration.md");

const groupNames: Readonly<Record<string, string>> = {
  log: "Log output and storage.",
  tls: "Certificate of the server for HTTPS.",
  limits: "Size limits and timeouts of the HTTP server.",
  shutdown: "Timing of a graceful shutdown.",
  auth: "Sign-in of superusers.",
  access: "The access log.",
  health: "Limits of the health status.",
  cron: "Scheduled jobs.",
  metrics: "Metrics.",
  visitors: "Visitor statistics.",
};

/** The source of `AppOptions`. */
export function renderTypes(): string {
  const sets = listOptionSets();
  const flat = sets.filter(({ isFlat }) => isFlat);
  const groups = Map.groupBy(
    sets.filter(({ isFlat }) => !isFlat),
    ({ group }) => group,
  );
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
${[...groups].map(([group, own]) => renderGroup(group, own)).join("")}`;
}

function renderGroup(group: string, sets: readonly OptionSet[]): string {
  const members = sets.flatMap(renderMembers).join("\n");
  return `\n/** ${describeGroup(group)} */\nexport interface ${typeName(group)} {\n${members}\n}\n`;
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

function describeGroup(group: string): string {
  return groupNames[group] ?? `Options of ${group}.`;
}

function typeName(group: string): string {
  return `${group[0]!.toUpperCase()}${group.slice(1)}Options`;
}

/** The documentation with the current table and the current list of options that can be changed at run time. */
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
  return replaceBetween(replaceBetween(text, "options", table), "run-time options", list);
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
  if (from < 0 || to < from) throw new Error(`docs/configuration.md has no ${start} … ${end}.`);
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
}

if (import.meta.main) {
  writeFileSync(typesFile, renderTypes());
  writeFileSync(docsFile, renderDocs(readFileSync(docsFile, "utf8")));
}
