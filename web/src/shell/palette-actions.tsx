import type { JobEntry } from "../../../src/features/cron/wire.ts";
import { send } from "../data/api.ts";
import { formatMoment } from "../format/times.ts";
import type { IncidentFormat } from "../incident/save-incident.ts";
import { go, hrefHere, hrefTo } from "../state/address.ts";
import { releases } from "../state/audit-log.ts";
import { changeLogLevel } from "../state/log-level.ts";
import { switchTheme } from "../state/theme.ts";
import { choosePreset, isLive, type Preset, presets, setLive, timeWindow } from "../state/time-window.ts";
import { copyText } from "../ui/controls/button.tsx";
import { confirm } from "../ui/feedback/dialog.tsx";
import { attempt, toast } from "../ui/feedback/toast.tsx";
import type { IconImage } from "../ui/icon.tsx";
import { openViews, saveView } from "./views/view-dialog.ts";

/** What the palette does, besides finding. */

export interface PaletteAction {
  readonly id: string;
  readonly icon: IconImage;
  readonly title: string;
  readonly hint: string;
  act(): unknown;
}

/** Actions of every page. */
export function listActions(): PaletteAction[] {
  const hint = "Action";
  return [
    {
      id: "live",
      icon: isLive.value ? "pause" : "play",
      title: isLive.value ? "Pause" : "Go live",
      hint,
      act: () => setLive(!isLive.value),
    },
    { id: "save view", icon: "bookmark", title: "Save this view…", hint, act: saveView },
    { id: "views", icon: "bookmark", title: "Rename or delete saved views", hint, act: openViews },
    { id: "link", icon: "link", title: "Copy a link to this view", hint, act: copyLink },
    {
      id: "debug",
      icon: "logs",
      title: "Log everything for 15 minutes (debug)",
      hint,
      act: () =>
        attempt(
          async () => void (await changeLogLevel("debug", 15)),
          "The log level is debug for 15 minutes.",
        ),
    },
    {
      id: "incident",
      icon: "download",
      title: "Save this window as an incident file (HTML)",
      hint,
      act: () => save("html"),
    },
    {
      id: "incident data",
      icon: "download",
      title: "Save this window as incident data (NDJSON)",
      hint,
      act: () => save("ndjson"),
    },
    { id: "theme", icon: "moon", title: "Switch between dark and light", hint, act: switchTheme },
    ...(Object.keys(presets) as Preset[]).map((preset) => ({
      id: `range ${preset}`,
      icon: "clock" as const,
      title: `Show the last ${preset}`,
      hint,
      act: () => choosePreset(preset),
    })),
    ...releases.value.map(({ at, label }) => ({
      id: `release ${at}`,
      icon: "overview" as const,
      title: `Before and after release ${label}`,
      hint: formatMoment(at),
      act: () => go(hrefHere({ changed: at })),
    })),
  ];
}

export function runAction({ id, name }: JobEntry): PaletteAction {
  return {
    id: `run ${id}`,
    icon: "play",
    title: `Run ${name}`,
    hint: `Job ${id}`,
    act: () => runJob(id, name),
  };
}

/** Loaded on demand, because it is rarely needed. */
async function save(format: IncidentFormat): Promise<void> {
  const { saveIncident } = await import("../incident/save-incident.ts");
  await saveIncident(timeWindow.peek(), format);
}

async function copyLink(): Promise<void> {
  await copyText(window.location.href);
  toast("The link is copied.");
}

/** Asks first: a job may send mail or charge money, and Enter is pressed quickly. */
async function runJob(id: string, name: string): Promise<void> {
  const body = <p>The job starts now, regardless of its schedule.</p>;
  if (!(await confirm({ title: `Run ${name}?`, body, action: "Run now" }))) return;
  try {
    const { run_id } = await send("POST /api/cron/jobs/{id}/run", { id });
    go(hrefTo("cron", { job: id, run: run_id }));
  } catch (error) {
    toast((error as Error).message, "bad");
  }
}
