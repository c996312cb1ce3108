import { useEffect, useState } from "preact/hooks";
import { isCutOff, restartedAt } from "../state/live.ts";
import { Icon } from "../ui/icon.tsx";
import { Ago } from "../ui/time.tsx";

/** A stream that ends because its time is over is back before anybody should be troubled. */
const patienceMs = 4_000;
const newsMs = 30_000;

/** Says that the server is gone, and that it is back. */
export function ConnectionNote() {
  const isLost = isCutOff.value;
  const isLong = useLasting(isLost, patienceMs);
  const restarted = restartedAt.value;
  const isOldNews = useLasting(restarted !== undefined && !isLost, newsMs, restarted);
  if (isLong) {
    return (
      <p class="connection lost" role="alert">
        <Icon name="running" />
        <span>
          The server cannot be reached. You are seeing the last known state; the page reconnects by itself.
        </span>
      </p>
    );
  }
  if (restarted === undefined || isOldNews || isLost) return null;
  return (
    <p class="connection" role="status">
      <Icon name="info" />
      <span>
        The server restarted <Ago time={restarted} />.
      </span>
    </p>
  );
}

/** Whether something has been so for a while. */
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
