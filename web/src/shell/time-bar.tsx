import { useState } from "preact/hooks";
import { formatMoment } from "../format/times.ts";
import { param, setParams } from "../state/address.ts";
import { connection, isCutOff } from "../state/live.ts";
import { useQuery } from "../state/query.ts";
import {
  choosePreset,
  isLive,
  type Preset,
  preset,
  presets,
  setLive,
  shiftWindow,
  timeWindow,
} from "../state/time-window.ts";
import { chooseZone, zone } from "../state/zone.ts";
import { Button, IconButton } from "../ui/controls/button.tsx";
import { Choice } from "../ui/controls/choice.tsx";
import { Icon } from "../ui/icon.tsx";
import { Timeline } from "./timeline.tsx";
import { WindowDialog } from "./window-dialog.tsx";

const presetOptions = (Object.keys(presets) as Preset[]).map((value) => ({ value, label: value }));
const zoneOptions = [
  { value: "local", label: "Local", title: "Times in this browser’s time zone" },
  { value: "utc", label: "UTC", title: "Times in UTC" },
] as const;

/** The current time window and whether it is live. Always visible. */
export function TimeBar() {
  const [isChoosing, setChoosing] = useState(false);
  const { from, to } = timeWindow.value;
  const isFixed = preset.value === undefined;
  return (
    <section class="time-bar stack gap-4" aria-label="Time">
      <div class="time-controls actions">
        <LiveButton />
        <Choice name="Range" value={preset.value} options={presetOptions} onChoose={choosePreset} />
        <Button
          class={`button plain ${isFixed ? "chosen" : ""}`}
          aria-pressed={isFixed}
          onClick={() => setChoosing(true)}
        >
          {isFixed ? `${formatMoment(from)} – ${formatMoment(to)}` : "Custom"}
        </Button>
        <span class="row inline gap-0">
          <IconButton
            name="Earlier"
            icon="right"
            onClick={() => shiftWindow(-0.5)}
            class="button ghost flipped"
          />
          <IconButton name="Later" icon="right" onClick={() => shiftWindow(0.5)} disabled={isLive.value} />
        </span>
        {isFixed && (
          <Button
            onClick={() => setParams({ changed: `${from}-${to}` })}
            title="Compare with the period before"
          >
            What changed?
          </Button>
        )}
        <Instances />
        <Choice name="Time zone" value={zone.value} options={zoneOptions} onChoose={chooseZone} />
      </div>
      <Timeline />
      {isChoosing && <WindowDialog onClose={() => setChoosing(false)} />}
    </section>
  );
}

function wordForState(): string {
  if (!isLive.value) return "Paused";
  if (isCutOff.value) return "Offline";
  return connection.value === "connecting" ? "Connecting…" : "Live";
}

function LiveButton() {
  const word = wordForState();
  return (
    <button
      type="button"
      class={`chip live ${word.toLowerCase().replace("…", "")}`}
      aria-pressed={isLive.value}
      title={isLive.value ? "Pause (space)" : "Go live (space)"}
      onClick={() => setLive(!isLive.value)}
    >
      {isLive.value ? <span class="pulse" aria-hidden /> : <Icon name="pause" />}
      {word}
    </button>
  );
}

/** Selects one of several instances. */
function Instances() {
  const { data } = useQuery("/_/_/data/instances", {}, { every: 60_000 });
  const names = data?.instances.map(({ instance }) => instance) ?? [];
  const chosen = param("instance");
  if (names.length < 2 && chosen === undefined) return null;
  return (
    <label class="instances">
      <span class="visually-hidden">Instance</span>
      <select value={chosen ?? ""} onChange={(event) => setParams({ instance: event.currentTarget.value })}>
        <option value="">All {names.length} instances</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
