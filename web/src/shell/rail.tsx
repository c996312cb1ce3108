import { hrefTo, type PageName, page, pages } from "../state/address.ts";
import { Icon } from "../ui/icon.tsx";
import { Logo } from "./logo.tsx";

export const pageTitles: Readonly<Record<PageName, string>> = {
  overview: "Overview",
  requests: "Requests",
  errors: "Errors",
  visitors: "Visitors",
  cron: "Cron",
  logs: "Logs",
  access: "Access",
  api: "API",
  config: "Config",
};

/** Navigation: on the left, or at the bottom on a phone. */
export function Rail() {
  return (
    <nav class="rail" aria-label="Pages">
      <a class="brand" href={hrefTo("overview")} aria-label="Annex, overview">
        <Logo size={28} />
        <span>Annex</span>
      </a>
      <ul>
        {pages.map((name) => (
          <li key={name}>
            <a href={hrefTo(name)} {...(page.value === name && { "aria-current": "page" as const })}>
              <Icon name={name} />
              <span>{pageTitles[name]}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
