import type { AccessEvent, AccountChange } from "../auth/index.ts";
import type { FailedRequest, FinishedRequest, RefusedRequest, RequestObserver } from "../http/index.ts";

/** A finished run of a job. */
export interface EndedRun {
  readonly jobId: string;
  readonly traceId: string;
  readonly status: "success" | "failed" | "timeout" | "interrupted";
  /** The error of a failed run; absent if it was cancelled or interrupted. */
  readonly error?: unknown;
}

/** A change to a job, a run or the scheduler's time zone. */
export interface JobChange {
  readonly kind: "pause" | "resume" | "remove" | "restore" | "run" | "cancel" | "timezone";
  /** The job ID, or "timezone". */
  readonly subject: string;
  /** Absent if the change was made by code. */
  readonly actor?: string | undefined;
  /** Previous and new time zone, for "timezone". */
  readonly before?: string;
  readonly after?: string;
  /** For "run" and "cancel". */
  readonly runId?: string;
}

/** A value that was changed at run time, in this process or by another instance. */
export interface SettingChange {
  /** The name of the option. */
  readonly name: string;
  readonly value: unknown;
}

/** Events by which features learn of each other's work. Listeners run synchronously and must not throw. */
export interface FeatureEvents {
  /** A worker has no URL. On the server of another application, there is the name of its framework instead. */
  "app.started": { readonly url?: string; readonly attachedTo?: string };
  /** The application may continue without Annex. Everything is closed. */
  "app.attachFailed": object;
  /** Shutdown has begun; requests in flight are still served. */
  "app.draining": object;
  "app.stopped": { readonly isRestart: boolean };
  "request.finished": FinishedRequest;
  "request.failed": FailedRequest;
  /** The application reported an error with a 4xx status, and the response is not an error of the server. */
  "request.warned": FailedRequest;
  /** A request to a route of Annex was refused. */
  "request.refused": RefusedRequest;
  /** A run was stored. Its function is about to be called. */
  "run.begun": object;
  "run.ended": EndedRun;
  "job.changed": JobChange;
  "account.changed": AccountChange;
  "access.recorded": AccessEvent;
  "setting.changed": SettingChange;
}

export interface Events {
  on<Name extends keyof FeatureEvents>(name: Name, listener: (event: FeatureEvents[Name]) => void): void;
  emit<Name extends Exclude<keyof FeatureEvents, `request.${string}`>>(
    name: Name,
    event: FeatureEvents[Name],
  ): void;
}

/** Request events come directly from the observer, because they are on the path of every request. */
export function createEvents(observer: RequestObserver): Events {
  const listeners = new Map<string, ((event: never) => void)[]>();
  const sources: {
    [Name in keyof FeatureEvents]?: (listener: (event: FeatureEvents[Name]) => void) => void;
  } = {
    "request.finished": (listener) => observer.onFinished(listener),
    "request.failed": (listener) => observer.onFailed(listener),
    "request.warned": (listener) => observer.onWarned(listener),
    "request.refused": (listener) => observer.onRefused(listener),
  };
  return {
    on(name, listener) {
      const subscribe = sources[name];
      if (subscribe) subscribe(listener);
      else listeners.set(name, [...(listeners.get(name) ?? []), listener]);
    },
    emit(name, event) {
      const own = listeners.get(name) as ((event: FeatureEvents[typeof name]) => void)[] | undefined;
      for (const listener of own ?? []) listener(event);
    },
  };
}
