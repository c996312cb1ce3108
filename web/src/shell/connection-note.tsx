import { useEffect, useState } from "preact/hooks";
import { isCutOff, restartedAt } from "../state/live.ts";
import { Icon } from "../ui/icon.tsx";
import { Ago } from "../ui/time.tsx";

/** A stream that reached its time limit reconnects within this time, so no note is shown. */
const patienceMs = 4_000;
const newsMs = 30_000;

/** Reports that the connection to the server is lost or restored. */
export function ConnectionNote() {
  const isLost = isCutOff.value;
  const isLong = useLasting(isLost, patienceMs);
  const restarted = restartedAt.value;
  const isOldNews = useLasting(restarted !== undefined && !isLost, newsMs, restarted);
  if (isLong) {
    return (
      <p class="connection row warn" role="alert">
        <Icon name="running" />
        <span>
          The server cannot be reached. You are seeing the last known state; the page reconnects
          automatically.
        </span>
      </p>
    );
  }
  if (restarted === undefined || isOldNews || isLost) return null;
  return (
    <p class="connection row info" role="status">
      <Icon name="info" />
      <span>
        The server restarted <Ago time={restarted} />.
      </span>
    </p>
  );
}

/** Whether a condition has held for the given time. */
function useLasting(isSo: boolean, whileMs: number, since?: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    setLasts(false);
    if (!isSo) return;
    const timer = setTimeout(() => setLasts(true), whileMs);
    return () => clearTimeout(timer);
  }, [isSo, whileMs, since]);
  return lasts;
}
