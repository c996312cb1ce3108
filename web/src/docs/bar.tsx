import { hrefHere, param } from "../state/address.ts";
import { switchTheme, theme } from "../state/theme.ts";
import { IconButton } from "../ui/controls/button.tsx";
import { Icon } from "../ui/icon.tsx";
import * as site from "./site.ts";

/** The title, the versions, the document and the theme. */
export function Bar() {
  const isDark = theme.value === "dark";
  return (
    <header class="docs-bar cluster gap-11">
      <a class="docs-title strong" href={hrefHere({ op: undefined, schema: undefined })}>
        {site.title}
      </a>
      <VersionSelect />
      <span class="docs-tools cluster gap-8 push">
        <a class="link-row" href={site.documentPath} download={`${site.version}.openapi.json`}>
          <Icon name="download" />
          openapi.json
        </a>
        <IconButton
          icon="print"
          name="Print, or save as PDF"
          class="button ghost wide-only"
          onClick={() => window.print()}
        />
        <IconButton
          icon={isDark ? "sun" : "moon"}
          name={isDark ? "Switch to the light theme" : "Switch to the dark theme"}
          onClick={() => switchTheme("/api/docs")}
        />
      </span>
    </header>
  );
}

/** Opens the same operation in the other version. */
function VersionSelect() {
  const open = (version: string) => {
    const op = param("op");
    window.location.assign(site.pathOf(version) + (op ? `?${new URLSearchParams({ op })}` : ""));
  };
  return (
    <label class="row inline gap-4">
      <span class="quiet">Version</span>
      <select value={site.version} onChange={(event) => open(event.currentTarget.value)}>
        {site.versions.map(({ version, status }) => (
          <option key={version} value={version}>
            {version} · {status}
          </option>
        ))}
      </select>
    </label>
  );
}
