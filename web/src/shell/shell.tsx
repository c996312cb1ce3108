import { useLayoutEffect, useRef } from "preact/hooks";
import { hrefTo, page } from "../state/address.ts";
import { email } from "../state/session.ts";
import { switchTheme, theme } from "../state/theme.ts";
import { IconButton } from "../ui/button.tsx";
import { Confirmation, Toasts } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { ConnectionNote } from "./connection-note.tsx";
import { Keys, showKeys } from "./keys.tsx";
import { Logo } from "./logo.tsx";
import { Page } from "./page.tsx";
import { isPaletteOpen, Palette } from "./palette.tsx";
import { pageTitles, Rail } from "./rail.tsx";
import { SessionEnd } from "./session-end.tsx";
import { TimeBar } from "./time-bar.tsx";

/** The frame around every page. */
export function Shell() {
  const main = useRef<HTMLElement>(null);
  const before = useRef(page.value);
  // Set the title together with the content, so that it never belongs to the previous page.
  useLayoutEffect(() => {
    document.title = `${pageTitles[page.value]} · Annex`;
    // Move the focus to the top of the new page for keyboard and screen reader users.
    if (before.current !== page.value) main.current?.focus({ preventScroll: true });
    before.current = page.value;
  }, [page.value]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Rail />
      <div class="column">
        <TopBar />
        <TimeBar />
        <ConnectionNote />
        <main id="main" ref={main} tabIndex={-1}>
          <Page name={page.value} />
        </main>
      </div>
      <Palette />
      <Keys />
      <Confirmation />
      <SessionEnd />
      <Toasts />
    </div>
  );
}

function TopBar() {
  return (
    <header class="top-bar">
      <a class="brand" href={hrefTo("overview")} aria-label="Annex, overview">
        <Logo size={26} />
      </a>
      <button type="button" class="find" onClick={() => (isPaletteOpen.value = true)}>
        <Icon name="search" />
        <span>Find a trace, a route, a job…</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div class="top-actions">
        <IconButton
          name="Keyboard shortcuts"
          icon="keyboard"
          onClick={showKeys}
          class="button ghost wide-only"
        />
        <IconButton
          name={theme.value === "dark" ? "Switch to light" : "Switch to dark"}
          icon={theme.value === "dark" ? "sun" : "moon"}
          onClick={switchTheme}
        />
        <a class="button ghost" href="/_/" title={`Your account: ${email}`}>
          <Icon name="person" label={`Your account, ${email}`} />
        </a>
        <form method="post" action="/_/sign-out">
          <button type="submit" class="button ghost" title="Sign out">
            <Icon name="out" label="Sign out" />
          </button>
        </form>
      </div>
    </header>
  );
}
