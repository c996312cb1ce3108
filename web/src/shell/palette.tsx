import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { JobEntry } from "../../../src/features/cron/wire.ts";
import type { SavedView } from "../../../src/features/dashboard/wire.ts";
import { root } from "../data/root.ts";
import { parseView } from "../data/saved-views.ts";
import { formatRoute } from "../format/routes.ts";
import type { Page } from "../pages/define-page.ts";
import { pages } from "../pages/index.ts";
import { go, hrefTo } from "../state/address.ts";
import { useQuery } from "../state/query.ts";
import { windowParams } from "../state/time-window.ts";
import { useListbox } from "../ui/controls/listbox.ts";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { Icon, type IconImage } from "../ui/icon.tsx";
import { listActions, type PaletteAction, runAction } from "./palette-actions.tsx";

/** Ctrl-K: finds traces, routes, jobs, pages and saved views, searches the logs, and performs actions. */

export const isPaletteOpen = signal(false);

interface Destination {
  readonly id: string;
  readonly icon: IconImage;
  readonly title: string;
  readonly hint: string;
  readonly href: string;
}

type Target = Destination | PaletteAction;

const traceId = /^[A-Za-z0-9]{18}$/;
const shown = 12;

export function Palette() {
  return isPaletteOpen.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const [text, setText] = useState("");
  const routes = useQuery("/_/_/data/routes", windowParams.value);
  const jobs = useQuery("/_/_/data/cron/jobs");
  const views = useQuery("/_/_/data/views");
  const found = findTargets(text.trim(), {
    views: views.data?.views ?? [],
    routes: routes.data?.routes.map(({ route }) => route) ?? [],
    jobs: jobs.data ?? [],
  });
  const listbox = useListbox({ label: "Results", items: found, onChoose: choose });

  function close(): void {
    isPaletteOpen.value = false;
  }
  function choose(target: Target): void {
    close();
    if ("href" in target) go(target.href);
    else void target.act();
  }
  function press(event: KeyboardEvent): void {
    if (event.key !== "Enter") return void listbox.move(event);
    // Otherwise, the key also presses the button that gets the focus, such as the one that closes a drawer.
    event.preventDefault();
    if (listbox.active) choose(listbox.active);
  }

  return (
    <Dialog title="Find" kind="palette" hideTitle onClose={close}>
      <div class="search-field palette-field">
        <Icon name="search" />
        <input
          {...listbox.field}
          autofocus
          aria-label="A trace ID, a route, a job, a page, a saved view or an action"
          placeholder="Paste a trace ID, or type a route, a job, a page or an action…"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            listbox.reset();
          }}
          onKeyDown={press}
        />
        <kbd>esc</kbd>
      </div>
      <div {...listbox.list} class="palette-list">
        {found.map((target, index) => (
          <div key={target.id} {...listbox.option(index)} onPointerMove={() => listbox.activate(index)}>
            <Icon name={target.icon} />
            <span class="grow ellipsis">{target.title}</span>
            <span class="hint">{target.hint}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

interface Findable {
  readonly views: readonly SavedView[];
  readonly routes: readonly string[];
  readonly jobs: readonly JobEntry[];
}

function findTargets(text: string, { views, routes, jobs }: Findable): Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ title, hint }: Target) =>
    words.every((word) => `${title} ${hint}`.toLowerCase().includes(word));
  const all = [
    ...pages.map(pageTarget),
    ...views.map(viewTarget),
    ...jobs.map(jobTarget),
    ...routes.map(routeTarget),
    ...listActions(),
    ...jobs.map(runAction),
  ];
  const found = all.filter(matches).slice(0, shown);
  if (text === "") return found;
  // A word of 18 letters looks like a trace ID, but may also be the name of a job.
  return [...(traceId.test(text) ? traceTargets(text) : []), ...found, ...searchTargets(text)];
}

function traceTargets(trace: string): Destination[] {
  return [
    {
      id: "request",
      icon: "requests",
      title: `Request ${trace}`,
      hint: "Requests",
      href: hrefTo("requests", { trace }),
    },
    {
      id: "records",
      icon: "logs",
      title: `Log records of ${trace}`,
      hint: "Logs",
      href: hrefTo("logs", { q: `trace:${trace}` }),
    },
  ];
}

function searchTargets(text: string): Destination[] {
  return [
    {
      id: "text",
      icon: "logs",
      title: `Search the logs for “${text}”`,
      hint: "Logs",
      href: hrefTo("logs", { q: text }),
    },
  ];
}

const pageTarget = ({ name, title, icon }: Page): Destination => ({
  id: `page ${name}`,
  icon,
  title,
  hint: "Page",
  href: hrefTo(name),
});

function viewTarget(view: SavedView): Destination {
  const { id, name, address } = view;
  const page = pages.find((each) => each.name === parseView(view).page);
  return {
    id: `view ${id}`,
    icon: "bookmark",
    title: name,
    hint: `Saved view${page ? ` of ${page.title}` : ""}`,
    href: root + address,
  };
}

const jobTarget = ({ id, name }: JobEntry): Destination => ({
  id: `job ${id}`,
  icon: "cron",
  title: name,
  hint: `Job ${id}`,
  href: hrefTo("cron", { job: id }),
});

const routeTarget = (route: string): Destination => ({
  id: `route ${route}`,
  icon: "requests",
  title: formatRoute(route),
  hint: "Route",
  href: hrefTo("requests", { tab: "routes", route }),
});
