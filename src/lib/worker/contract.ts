/** The types that both sides of a thread share. A service declares one contract; everything else is inferred. */

/**
 * What a thread is given and which calls both sides accept, as signatures:
 *
 *     interface Adder extends WorkerContract {
 *       data: { start: number };
 *       calls: { add(value: number): number };
 *       ownerCalls: NoCalls;
 *     }
 */
export interface WorkerContract {
  /** Passed to the thread each time it starts. Must be cloneable. */
  readonly data: unknown;
  /** Calls from the owner to the thread. */
  readonly calls: object;
  /** Calls from the thread to its owner. */
  readonly ownerCalls: object;
}

export type NoCalls = Record<never, never>;

export type CallName<Calls> = keyof Calls & string;
export type InputOf<Calls, Name extends keyof Calls> = Calls[Name] extends (...input: infer Input) => unknown
  ? Input
  : never;
export type OutputOf<Calls, Name extends keyof Calls> = Calls[Name] extends (
  ...input: never[]
) => infer Output
  ? Output
  : never;

/** Calls the other side. */
export interface Caller<Calls> {
  /** Resolves with the output. Rejects with the handler's error, after the deadline, or when the thread ends. */
  call<Name extends CallName<Calls>>(
    name: Name,
    ...input: InputOf<Calls, Name>
  ): Promise<OutputOf<Calls, Name>>;
  /** Sends a message without waiting. Messages that are not processed are counted as lost. */
  post<Name extends CallName<Calls>>(
    name: Name,
    input: InputOf<Calls, Name>,
    options?: PostOptions<OutputOf<Calls, Name>>,
  ): void;
}

export interface PostOptions<Output> {
  /** Buffers that are moved to the other side. The sender can no longer use them. */
  readonly transfer?: readonly ArrayBuffer[];
  /** Memory that the message occupies until it is processed, for `maxPendingBytes`. Default 0. */
  readonly bytes?: number;
  /** Number of records in the message, for the count of lost records. Default 1. */
  readonly count?: number;
  /** Called when the message has been processed. */
  onDone?(output: Output): void;
}

/** An output whose buffers are moved to the caller instead of copied. */
export class Transferred<Output> {
  readonly output: Output;
  readonly transfer: readonly ArrayBuffer[];

  constructor(output: Output, transfer: readonly ArrayBuffer[]) {
    this.output = output;
    this.transfer = transfer;
  }
}

type Handled<Output> = Output | Transferred<Output> | Promise<Output | Transferred<Output>>;

/** The functions that process the calls. */
export type Handlers<Calls> = {
  readonly [Name in keyof Calls]: (...input: InputOf<Calls, Name>) => Handled<OutputOf<Calls, Name>>;
};

/** Handlers by name. The contract has checked their types; here, only messages know them. */
export type HandlerMap = ReadonlyMap<string, (...input: never[]) => unknown>;

export function toHandlerMap(handlers: object): HandlerMap {
  return new Map(Object.entries(handlers));
}

/** Addresses a call. A thread can contain several services. */
export interface Target {
  readonly service: string;
  readonly name: string;
}

/** The service of a thread that contains only one. */
export const onlyService = "";

/** An error as it crosses the thread boundary. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
}

/**
 * The messages in both directions. A sender has a `Message<unknown>`, a receiver a `Message<never>`: structured cloning
 * loses the types, and the receiver may only pass the value on to code that the contract has checked.
 */
export type Message<Value> =
  | (Target & {
      readonly kind: "call" | "post";
      readonly id: number;
      readonly input: readonly Value[];
    })
  | { readonly kind: "output"; readonly id: number; readonly output: Value }
  | { readonly kind: "error"; readonly id: number; readonly error: PlainError }
  | { readonly kind: "problem"; readonly service: string; readonly reason: string | undefined }
  | { readonly kind: "ready" | "close" | "ping" | "pong" };

export type Send = (message: Message<unknown>, transfer?: readonly ArrayBuffer[]) => void;
