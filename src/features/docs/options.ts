import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { StartError } from "../../lib/errors/start-error.ts";
import { findEntry, toRealPath } from "../../lib/node/entry.ts";
import { option, type Parse, text } from "../../lib/options/option.ts";
import { defineFlatOptions, defineGroup } from "../../lib/options/option-set.ts";
import type { OptionEntry } from "../../lib/options/show-option.ts";
import { findSpecsFolder } from "./specs/specs-folder.ts";
import { APIVersionManager } from "./versions/version-manager.ts";

const versionManager: Parse<APIVersionManager | undefined> = (value) => {
  if (value instanceof APIVersionManager) return value;
  throw new Error("an APIVersionManager");
};

const group = defineGroup({ name: "docs", title: "API documentation", order: 70 });

/** Options of the API documentation. */
export const docsOptions = defineFlatOptions(group, {
  versions: option.custom<APIVersionManager | undefined, APIVersionManager>({
    type: "APIVersionManager",
    parse: versionManager,
    default: undefined,
    about: "API versions. Their routes are mounted at startup and documented under `/api/docs`.",
    more: "An `APIVersionManager`. See [API documentation](api-docs.md).",
  }),
  specsDir: option.text({
    parse: (value) => resolve(text("the path of a folder")(value)),
    env: "SVC_OPENAPI_SPECS_DIR",
    defaultFrom: ({ caller }) => findSpecsFolder({ entry: findEntry(), caller: toRealPath(caller) }),
    defaultText: "`specs` beside the entry",
    about: "Folder from which production loads the API documents generated at build time.",
  }),
  docsSources: option.flag({
    env: "SVC_DOCS_SOURCES",
    default: false,
    about:
      "Whether public documents and spec files contain source locations (`x-source`). Superusers always see them.",
    more: "See [source locations](source-analysis.md#source-locations).",
  }),
});

/** A folder that does not exist is a mistake if it was given. By default, it only means that nothing was built. */
export function refuseMissingFolder(folder: string, entries: readonly OptionEntry[]): void {
  const { source = "default", variable } = entries.find(({ name }) => name === "specsDir") ?? {};
  if (source === "default" || existsSync(folder)) return;
  const place = source === "environment" ? variable : 'option "specsDir"';
  const remedy =
    "Run annex build --production and set it to the folder specs that this writes, or leave it out to use the one beside the entry";
  throw new StartError("INVALID_OPTION", `Invalid value for ${place}: ${folder} does not exist. ${remedy}.`);
}
