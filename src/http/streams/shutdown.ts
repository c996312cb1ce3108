import { AsyncLocalStorage } from "node:async_hooks";
import { ACCESS_REVOKED, CLIENT_DISCONNECTED, SERVER_STOPPING } from "../errors/errors.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";

/** A response that can last for any time. */
export interface OpenStream {
  /** Whether the stream can finish like other responses. Otherwise, its signal aborts immediately. */
  readonly finishes?: boolean;
  /** Called when the server stops. */
  stop?(): void;
  /** Ends the stream if it is still open a moment later. Absent if it has an end, such as a download. */
  end?(): void;
  /** Ends the stream, because the credentials of its request are no longer valid. */
  revoke?(): void;
}

/** A signal that aborts when the credentials of a request are no longer valid, if that can happen. */
export type RevocationOf = (response: ObservedResponse) => AbortSignal | undefined;

/**
 * The streams and abort signals of a listener. When the server stops, the signals of streams abort immediately. Other
 * requests can finish; their signals abort shortly before their connections are closed.
 */
export class Shutdown {
  revocationOf: RevocationOf | undefined = undefined;
  private phase: "none" | "streams" | "all" = "none";
  /** Whether streams that could go on forever are ended. */
  private endsStreams = false;
  /** Also has the signals of responses that have ended. */
  private readonly controllers = new WeakMap<ObservedResponse, AbortController>();
  private readonly aborts = new Map<ObservedResponse, (reason: unknown) => void>();
  private readonly streams = new Map<ObservedResponse, OpenStream>();

  /** A signal that aborts when the client disconnects or the server stops. It is created on first use. */
  signalOf(response: ObservedResponse): AbortSignal {
    const known = this.controllers.get(response);
    if (known !== undefined) return known.signal;
    const controller = new AbortController();
    this.controllers.set(response, controller);
    if (response.destroyed) {
      if (!response.writableFinished) controller.abort(CLIENT_DISCONNECTED());
      return controller.signal;
    }
    // An error in a listener of the signal belongs to the request.
    const abort = AsyncLocalStorage.bind((reason: unknown) => controller.abort(reason));
    this.aborts.set(response, abort);
    response.once("close", () => {
      this.aborts.delete(response);
      if (!response.writableFinished) abort(CLIENT_DISCONNECTED());
    });
    if (this.mustStop(response)) abort(SERVER_STOPPING());
    return controller.signal;
  }

  /** Registers a response that is a stream, until it closes. */
  addStream(response: ObservedResponse, stream: OpenStream = {}): void {
    if (response.destroyed) return;
    this.streams.set(response, stream);
    response.once("close", () => this.streams.delete(response));
    if (stream.revoke) this.watchAccess(response, stream);
    if (this.phase !== "none") {
      if (this.stopsImmediately(response)) this.abort(response);
      stream.stop?.();
    }
    if (this.endsStreams) stream.end?.();
  }

  /** Aborts the signals of all streams. */
  stopStreams(): void {
    this.phase = "streams";
    for (const response of this.aborts.keys()) if (this.stopsImmediately(response)) this.abort(response);
    for (const { stop } of this.streams.values()) stop?.();
  }

  /** Ends some of the streams: those that do not end by themselves after `lastMs`. */
  stopStreamsOf(isAffected: (response: ObservedResponse) => boolean, lastMs: number): void {
    const affected = [...this.streams].filter(([response]) => isAffected(response));
    for (const [response, { stop }] of affected) {
      if (this.stopsImmediately(response)) this.abort(response);
      stop?.();
    }
    setTimeout(() => {
      for (const [, { end }] of affected) end?.();
    }, lastMs).unref();
  }

  /** Ends the streams that are still open and could go on forever. */
  endStreams(): void {
    this.endsStreams = true;
    for (const { end } of this.streams.values()) end?.();
  }

  /** Aborts the signals of all requests that are still in flight. */
  stopAll(): void {
    this.phase = "all";
    for (const response of this.aborts.keys()) this.abort(response);
  }

  private watchAccess(response: ObservedResponse, stream: OpenStream): void {
    this.revocationOf?.(response)?.addEventListener("abort", () => {
      this.aborts.get(response)?.(ACCESS_REVOKED());
      stream.revoke?.();
    });
  }

  private mustStop(response: ObservedResponse): boolean {
    return this.phase === "all" || (this.phase === "streams" && this.stopsImmediately(response));
  }

  /** Whether the signal of a response aborts at the start of a shutdown. */
  private stopsImmediately(response: ObservedResponse): boolean {
    const stream = this.streams.get(response);
    return stream === undefined ? response.headersSent : stream.finishes !== true;
  }

  private abort(response: ObservedResponse): void {
    this.aborts.get(response)?.(SERVER_STOPPING());
  }
}

/** Whether an error is the consequence of an aborted signal. */
export function isAbort(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === "AbortError"));
}
