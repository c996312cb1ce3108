import { dirname, join, resolve } from "node:path";
import { option, type Parse, text } from "../../lib/options/option.ts";
import { defineFlatOptions } from "../../lib/options/option-set.ts";
import { APIVersionManager } from "./versions/version-manager.ts";

const versionManager: Parse<APIVersionManager | undefined> = (value) => {
  if (value instanceof APIVersionManager) return value;
  throw new Error("an APIVersionManager");
};

/** Options of the API documentation. */
export const docsOptions = defineFlatOptions("docs", {
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
    defaultFrom: () => resolve(join(dirname(process.argv[1] ?? "."), "specs")),
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
