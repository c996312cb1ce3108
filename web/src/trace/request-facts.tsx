import { useState } from "preact/hooks";
import type { RequestDetail } from "../../../src/features/metrics/wire.ts";
import { maskIp, type RequestRow } from "../data/request-rows.ts";
import { formatBytes, formatMs, formatNumber } from "../format/numbers.ts";
import { formatDay, formatPrecise } from "../format/times.ts";
import { formatToken } from "../query-bar/tokens.ts";
import { hrefTo } from "../state/address.ts";
import { hasSeveral } from "../state/fleet/instances.ts";
import { useQuery } from "../state/query.ts";
import { Ago, Moment } from "../ui/time.tsx";
import { whileFresh } from "./trace-data.ts";

/** Time, duration, sizes and client of the request. */
export function RequestFacts({
  request,
  detail,
}: {
  request: RequestRow;
  detail: RequestDetail | undefined;
}) {
  const { method, route, time, durationMs, bytesIn, bytesOut } = request;
  const started = detail?.started_at ?? Math.round(time - durationMs);
  const name = route === undefined ? undefined : `${method} ${route}`;
  return (
    <>
      <Timing durationMs={durationMs} route={name} time={time} />
      <dl class="facts">
        <dt>Started</dt>
        <dd>
          <Moment time={started}>{`${formatDay(started)}, ${formatPrecise(started)}`}</Moment>
          <span class="hint">
            {" "}
            <Ago time={started} />
          </span>
        </dd>
        <dt>Route</dt>
        <dd>
          {name ? (
            <a class="mono" href={hrefTo("requests", { tab: "routes", route: name })}>
              {name}
            </a>
          ) : detail ? (
            "No route matched"
          ) : (
            <span class="hint">not recorded</span>
          )}
        </dd>
        <dt>Size</dt>
        <dd>
          {bytesIn === undefined ? "–" : formatBytes(bytesIn)} in,{" "}
          {bytesOut === undefined ? "–" : formatBytes(bytesOut)} out
        </dd>
        <Client {...request} />
        {(hasSeveral.value || detail) && (
          <>
            <dt>Served by</dt>
            <dd>{detail?.instance ?? request.instance ?? <span class="hint">not recorded</span>}</dd>
          </>
        )}
      </dl>
    </>
  );
}

function Client({ ip, userAgent }: RequestRow) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <dt>Client</dt>
      <dd>
        {isShown ? ip : maskIp(ip)}{" "}
        {isShown ? (
          <a href={hrefTo("requests", { q: formatToken("ip", ip) })}>All requests from this client</a>
        ) : (
          maskIp(ip) !== ip && (
            <button type="button" class="link-button" onClick={() => setShown(true)}>
              Show the address
            </button>
          )
        )}
      </dd>
      <dt>Agent</dt>
      <dd>{userAgent || <span class="hint">none</span>}</dd>
    </>
  );
}

const hourMs = 3_600_000;

interface TimingProps {
  readonly durationMs: number;
  readonly route: string | undefined;
  readonly time: number;
}

/** The duration, compared with the route's usual latency. */
function Timing({ durationMs, route, time }: TimingProps) {
  const to = Math.ceil((time + 60_000) / 60_000) * 60_000;
  const asked = { route, from: to - hourMs, to, points: 1 };
  const path = route === undefined ? null : "/_/_/data/requests";
  const { data } = useQuery(path, asked, whileFresh(time));
  const { p50_ms: p50, p95_ms: p95, count = 0 } = data?.totals ?? {};
  const most = Math.max(durationMs, p95 ?? 0, p50 ?? 0) * 1.06 || 1;
  const place = (value: number) => `${Math.min(100, (value / most) * 100)}%`;
  const isSlow = p95 !== undefined && durationMs > p95;
  return (
    <div class="stack gap-4">
      <p>
        <b class="metric">{formatMs(durationMs)}</b>{" "}
        {p50 !== undefined && p95 !== undefined && count > 1 && (
          <span class={isSlow ? "warn" : "quiet"}>{describeShare(durationMs, p50, p95)}</span>
        )}
      </p>
      {p50 !== undefined && p95 !== undefined && (
        <>
          <div class="timing-track" aria-hidden="true">
            <span class={`timing-bar ${isSlow ? "amber" : "blue"}`} style={{ width: place(durationMs) }} />
            <span class="timing-mark" style={{ left: place(p50) }} />
            <span class="timing-mark" style={{ left: place(p95) }} />
          </div>
          <p class="hint">
            This route in the hour before: p50 {formatMs(p50)}, p95 {formatMs(p95)}
          </p>
        </>
      )}
    </div>
  );
}

function describeShare(durationMs: number, p50: number, p95: number): string {
  const times = `${formatNumber(durationMs / p50)}× the route’s p50`;
  return durationMs > p95 ? `${times}, slower than 95 %` : times;
}
