import { pages } from "../pages/index.ts";
import { hrefTo } from "../state/address.ts";
import { useArrowKeys } from "../ui/controls/arrow-keys.ts";
import { Icon } from "../ui/icon.tsx";
import { currentPage } from "./current-page.ts";
import { Logo } from "./logo.tsx";

/** Navigation: on the left, or at the bottom on a phone. One tab stop; the arrow keys move between the pages. */
export function Rail() {
  const group = useArrowKeys<HTMLElement>();
  return (
    <nav class="rail" aria-label="Pages" ref={group}>
      <a class="brand" href={hrefTo("overview")} aria-label="Annex, overview">
        <Logo size={28} />
        <span>Annex</span>
      </a>
      <ul class="stack gap-2">
        {pages.map(({ name, title, icon }) => (
          <li key={name}>
            <a
              href={hrefTo(name)}
              title={title}
              {...(currentPage.value.name === name && { "aria-current": "page" as const })}
            >
              <Icon name={icon} />
              <span>{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
