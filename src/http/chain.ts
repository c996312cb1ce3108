import { isPromiseLike } from "../lib/promise-like.ts";

/** The functions of a route that have not run yet. */
export interface Chain {
  /** Calls the following function. `endNext` must be called when it has finished. */
  callNext(): unknown;
  /** Lets further calls do nothing. */
  endNext(): void;
}

/** What `e.next()` returns if all functions have finished. */
export const alreadyDone: Promise<void> = Promise.resolve();

/** Runs the following functions. */
export function runNext(chain: Chain): Promise<void> {
  let result: unknown;
  try {
    result = chain.callNext();
  } catch (error) {
    chain.endNext();
    return Promise.reject(error);
  }
  // Most functions are synchronous or end with `e.next()`. Then, no promise has to be created.
  if (result !== alreadyDone && isPromiseLike<unknown>(result)) return finishNext(chain, result);
  chain.endNext();
  return alreadyDone;
}

async function finishNext(chain: Chain, result: PromiseLike<unknown>): Promise<void> {
  try {
    await result;
  } finally {
    chain.endNext();
  }
}
