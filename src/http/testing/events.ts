import type { TestContext } from "node:test";
import { settles } from "../../lib/testing/until.ts";

/** A client that reads an event stream. */
export interface EventClient {
  readonly response: Response;
  /** The text until the mark has arrived. */
  readThrough(mark: string): Promise<string>;
  /** The text until the stream ends. */
  readAll(): Promise<string>;
  disconnect(): void;
}

/** Requests an event stream from a port of this machine. */
export async function openEvents(
  t: TestContext,
  url: string,
  headers: Record<string, string> = {},
): Promise<EventClient> {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const response = await settles("the stream opens", fetch(url, { headers, signal: abort.signal }));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let received = "";
  const readUntil = async (isDone: () => boolean) => {
    while (!isDone()) {
      const { done, value } = await settles(() => `more events arrive after: ${received}`, reader.read());
      if (done) return false;
      received += value;
    }
    return true;
  };
  return {
    response,
    async readThrough(mark) {
      if (!(await readUntil(() => received.includes(mark))))
        throw new Error(`The stream ended after: ${received}`);
      return received;
    },
    async readAll() {
      await readUntil(() => false);
      return received;
    },
    disconnect: () => abort.abort(),
  };
}
