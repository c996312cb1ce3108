import { choosePreset, presets, timeWindow } from "../../state/time-window.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Empty } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { clearFilters, isFiltered } from "./filter-params.ts";

/** Explains why there are no events, and what would be listed. */
export function NoEvents({ retentionDays }: { retentionDays: number }) {
  const { from, to } = timeWindow.value;
  const isShort = to - from < presets["7d"];
  if (isFiltered()) {
    return (
      <Panel title="Nothing found">
        <Empty
          icon="filter"
          title="No event in this window matches"
          action={<Button onClick={clearFilters}>Show all in this window</Button>}
        >
          The search covers account, address, user agent, detail, trace ID and instance.
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel title="Access events">
      <Empty
        icon="key"
        title="No access events in this window"
        action={isShort && <Button onClick={() => choosePreset("7d")}>Last 7 days</Button>}
      >
        Sign-ins, failed attempts, lockouts, sign-outs, account changes and refused requests to administrative
        routes appear here. Events are stored for {retentionDays} {retentionDays === 1 ? "day" : "days"}.
      </Empty>
    </Panel>
  );
}
