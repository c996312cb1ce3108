import { useLayoutEffect, useRef } from "preact/hooks";
import { Comparison } from "../comparison/comparison.tsx";
import { accountPath, email } from "../data/session.ts";
import { hrefTo } from "../state/address.ts";
import { switchTheme, theme } from "../state/theme.ts";
import { Button, IconButton } from "../ui/controls/button.tsx";
import { Confirmation, Toasts } from "../ui/feedback/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { ConnectionNote } from "./connection-note.tsx";
import { currentPage } from "./current-page.ts";
import { Keys, showKeys } from "./keys.tsx";
import { Logo } from "./logo.tsx";
import { PageView } from "./page.tsx";
import { isPaletteOpen, Palette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { SessionEnd } from "./session-end.tsx";
import { TimeBar } from "./time-bar.tsx";
import { SavedViews } from "./views/saved-views.tsx";
import { openViews } from "./views/view-dialog.ts";

/** The frame around every page. */
export function Shell() {
  const main = useRef<HTMLElement>(null);
  const page = currentPage.value;
  const before = useRef(page);
  // Set the title together with the content, so that it never belongs to the previous page.
  useLayoutEffect(() => {
    document.title = `${page.title} · Annex`;
    // Move the focus to the top of the new page for keyboard and screen reader users.
    if (before.current !== page) main.current?.focus({ preventScroll: true });
    before.current = page;
  }, [page]);
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
        <main class="stack gap-11" id="main" ref={main} tabIndex={-1}>
          <PageView key={page.name} page={page} />
        </main>
      </div>
      <Comparison />
      <SavedViews />
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
    <header class="top-bar row gap-8">
      <a class="brand" href={hrefTo("overview")} aria-label="Annex, overview">
        <Logo size={26} />
      </a>
      <button type="button" class="search-field find" onClick={() => (isPaletteOpen.value = true)}>
        <Icon name="search" />
        <span class="grow ellipsis">Find a trace, a route, a job…</span>
        <kbd class="wide-only">Ctrl K</kbd>
      </button>
      <div class="row gap-2 push">
        <Button
          look="ghost"
          icon="bookmark"
          title="Saved views (V)"
          aria-haspopup="dialog"
          onClick={openViews}
        >
          <span class="phone-hidden">Saved views</span>
        </Button>
        <IconButton
          name="Keyboard shortcuts"
          icon="keyboard"
          onClick={showKeys}
          class="button ghost wide-only"
        />
        <IconButton
          name={theme.value === "dark" ? "Switch to light" : "Switch to dark"}
          icon={theme.value === "dark" ? "sun" : "moon"}
          onClick={() => switchTheme()}
        />
        <a class="button ghost" href={accountPath} title={`Your account: ${email}`}>
          <Icon name="person" label={`Your account, ${email}`} />
        </a>
        <form method="post" action={`${accountPath}sign-out`}>
          <button type="submit" class="button ghost" title="Sign out">
            <Icon name="out" label="Sign out" />
          </button>
        </form>
      </div>
    </header>
  );
}
