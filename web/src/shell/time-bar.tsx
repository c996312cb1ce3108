import { useState } from "preact/hooks";
import { formatMoment, formatPeriod } from "../format/times.ts";
import { setParams } from "../state/address.ts";
import { chosenInstance, hasSeveral, instanceNames } from "../state/fleet/instances.ts";
import { connection, isCutOff } from "../state/live.ts";
import { isNarrow } from "../state/narrow.ts";
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

/** The current time window and whether it is live. Always visible. On a phone, a button shows the secondary controls. */
export function TimeBar() {
  const [isChoosing, setChoosing] = useState(false);
  const [isExpanded, setExpanded] = useState(false);
  const { from, to } = timeWindow.value;
  const isFixed = preset.value === undefined;
  const isWhole = isExpanded || !isNarrow.value;
  return (
    <section class="time-bar stack gap-4" aria-label="Time">
      <div class="time-controls actions">
        <LiveButton />
        {isNarrow.value ? (
          <RangeMenu onCustom={() => setChoosing(true)} />
        ) : (
          <>
            <Choice name="Range" value={preset.value} options={presetOptions} onChoose={choosePreset} />
            <Button
              class={`button plain ${isFixed ? "chosen" : ""}`}
              aria-pressed={isFixed}
              onClick={() => setChoosing(true)}
            >
              {isFixed ? `${formatMoment(from)} – ${formatMoment(to)}` : "Custom"}
            </Button>
          </>
        )}
        <span class="row inline gap-0">
          <IconButton
            name="Earlier"
            icon="right"
            onClick={() => shiftWindow(-0.5)}
            class="button ghost flipped"
          />
          <IconButton name="Later" icon="right" onClick={() => shiftWindow(0.5)} disabled={isLive.value} />
          {isNarrow.value && (
            <IconButton
              name="More about the time"
              icon="more"
              aria-expanded={isExpanded}
              onClick={() => setExpanded(!isExpanded)}
            />
          )}
        </span>
        {isWhole && (
          <>
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
          </>
        )}
      </div>
      <Timeline isShown={isWhole} />
      {isChoosing && <WindowDialog onClose={() => setChoosing(false)} />}
    </section>
  );
}

/** The ranges as a menu, which needs less room, and which the phone shows in its own way. */
function RangeMenu({ onCustom }: { onCustom(): void }) {
  const { from, to } = timeWindow.value;
  const value = preset.value ?? "fixed";
  return (
    <label class="range-menu">
      <span class="visually-hidden">Range</span>
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value;
          if (chosen in presets) return choosePreset(chosen as Preset);
          // Until a window is chosen, the range stays as it is.
          currentTarget.value = value;
          onCustom();
        }}
      >
        {presetOptions.map((option) => (
          <option key={option.value} value={option.value}>
            Last {option.label}
          </option>
        ))}
        {preset.value === undefined && <option value="fixed">{formatPeriod(from, to)}</option>}
        <option value="custom">Custom…</option>
      </select>
    </label>
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
  const chosen = chosenInstance.value;
  if (!hasSeveral.value && chosen === undefined) return null;
  const known = instanceNames.value;
  const names = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known];
  return (
    <label class="instances">
      <span class="visually-hidden">Instance</span>
      <select value={chosen ?? ""} onChange={(event) => setParams({ instance: event.currentTarget.value })}>
        <option value="">All instances</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
