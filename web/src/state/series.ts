import { useRef } from "preact/hooks";
import type { RequestSeries, SystemSeries } from "../../../src/features/metrics/wire.ts";
import { mergeRequests, mergeSystem } from "../data/merge-series.ts";
import { type Query, useQuery } from "./query.ts";
import { isLive, type TimeWindow } from "./time-window.ts";

/**
 * Loads a series, and then only its newest points while the window moves. Other instances write their metrics with a
 * delay, so the points of the last half minute are loaded again.
 */

const lateMs = 30_000;

interface Series {
  readonly to: number;
  readonly step_ms: number;
  readonly first_point: number;
}

type Params = TimeWindow & Readonly<Record<string, string | number | undefined>>;

export function useRequestSeries(params: Params): Query<RequestSeries> {
  const tail = useTail<RequestSeries>(params, mergeRequests);
  return tail.take(useQuery("/_/_/data/requests", tail.params, { key: tail.key }));
}

export function useSystemSeries(params: Params): Query<SystemSeries> {
  const tail = useTail<SystemSeries>(params, mergeSystem);
  return tail.take(useQuery("/_/_/data/system", tail.params, { key: tail.key }));
}

interface TailState<S> {
  readonly key: string;
  readonly to: number;
  /** Only the points after this time are requested. */
  readonly after?: number | undefined;
  readonly response?: S | undefined;
  /** The response, with the points of earlier ones. */
  readonly whole?: S | undefined;
}

function useTail<S extends Series>(params: Params, merge: (old: S, fresh: S) => S | undefined) {
  const { from, to, ...subject } = params;
  const key = JSON.stringify({ ...subject, length: to - from });
  const state = useRef<TailState<S>>({ key, to });
  if (state.current.key !== key) state.current = { key, to };
  // Only when the window moves: otherwise each response would cause the next request.
  if (state.current.to !== to) {
    const { whole, to: before } = state.current;
    const after =
      isLive.value && whole && to > before ? whole.to - Math.max(3 * whole.step_ms, lateMs) : undefined;
    state.current = { ...state.current, to, after };
  }

  /** Without the points before them, new points are not shown, and the next request is for all. */
  function combine(fresh: S): S | undefined {
    const { whole } = state.current;
    return fresh.first_point === 0 ? fresh : whole && merge(whole, fresh);
  }

  function take(query: Query<S>): Query<S> {
    const fresh = query.data;
    if (fresh !== state.current.response)
      state.current = { ...state.current, response: fresh, whole: fresh && combine(fresh) };
    return { ...query, data: state.current.whole };
  }

  return { key, params: { ...params, after: state.current.after }, take };
}
