import { signal } from "@preact/signals";
import { useEffect, useId, useState } from "preact/hooks";
import { useQuery } from "../data/query.ts";
import type { RouteTable } from "../data/shapes.ts";
import { go, hrefTo, pages } from "../state/address.ts";
import { windowParams } from "../state/time-window.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { pageTitles } from "./rail.tsx";

/** Ctrl-K: finds traces, routes, jobs and pages, or searches the logs. */

export const isPaletteOpen = signal(false);

interface Target {
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  readonly hint: string;
  readonly href: string;
}

interface JobName {
  readonly id: string;
  readonly name: string;
}

const traceId = /^[A-Za-z0-9]{18}$/;
const shown = 12;

export function Palette() {
  return isPaletteOpen.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const routes = useQuery<RouteTable>("/_/_/data/routes", windowParams.value);
  const jobs = useQuery<readonly JobName[]>("/_/_/data/cron/jobs");
  const found = findTargets(
    text.trim(),
    routes.data?.routes.map(({ route }) => route) ?? [],
    jobs.data ?? [],
  );
  const chosen = Math.min(at, found.length - 1);
  const id = useId();
  useEffect(() => document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: "nearest" }), [chosen]);

  function close(): void {
    isPaletteOpen.value = false;
  }
  function take(target: Target | undefined): void {
    if (!target) return;
    close();
    go(target.href);
  }
  function press(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") take(found[chosen]);
    if (step === 0) return;
    event.preventDefault();
    setAt((chosen + step + found.length) % Math.max(1, found.length));
  }

  return (
    <Dialog title="Find" kind="palette" hideTitle onClose={close}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          autofocus
          role="combobox"
          aria-label="A trace ID, a route, a job or a page"
          aria-expanded={found.length > 0}
          aria-controls={id}
          aria-activedescendant={found[chosen] && `${id}-${chosen}`}
          autocomplete="off"
          spellcheck={false}
          placeholder="Paste a trace ID, or type a route, a job or a page…"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <kbd>esc</kbd>
      </div>
      <div class="palette-list" id={id} role="listbox" aria-label="Results">
        {found.map((target, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
          <div
            key={target.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => take(target)}
            onPointerMove={() => setAt(index)}
          >
            <Icon name={target.icon} />
            <span class="palette-title">{target.title}</span>
            <span class="hint">{target.hint}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function findTargets(text: string, routes: readonly string[], jobs: readonly JobName[]): Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ title, hint }: Target) =>
    words.every((word) => `${title} ${hint}`.toLowerCase().includes(word));
  const all = [...pages.map(pageTarget), ...jobs.map(jobTarget), ...routes.map(routeTarget)];
  const found = all.filter(matches).slice(0, shown);
  if (text === "") return found;
  // A word of 18 letters looks like a trace ID, but may also be the name of a job.
  return [...(traceId.test(text) ? traceTargets(text) : []), ...found, ...searchTargets(text)];
}

function traceTargets(trace: string): Target[] {
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

function searchTargets(text: string): Target[] {
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

const pageTarget = (name: (typeof pages)[number]): Target => ({
  id: `page ${name}`,
  icon: name,
  title: pageTitles[name],
  hint: "Page",
  href: hrefTo(name),
});

const jobTarget = ({ id, name }: JobName): Target => ({
  id: `job ${id}`,
  icon: "cron",
  title: name,
  hint: `Job ${id}`,
  href: hrefTo("cron", { job: id }),
});

const routeTarget = (route: string): Target => ({
  id: `route ${route}`,
  icon: "requests",
  title: route,
  hint: "Route",
  href: hrefTo("requests", { tab: "routes", route }),
});
