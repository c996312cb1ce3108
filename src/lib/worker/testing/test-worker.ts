import { setTimeout as delay } from "node:timers/promises";
import { Transferred, type WorkerContract } from "../contract.ts";
import { serveWorker } from "../serve-worker.ts";

/** A thread for tests, which fails in all ways. */
export interface TestWorker extends WorkerContract {
  readonly data: {
    readonly greeting: string;
    readonly opens?: "never" | "with an error" | "blocking";
    readonly closes?: "never";
  };
  readonly calls: {
    greet(name: string): string;
    add(one: number, other: number): number;
    fail(message: string, code: string): void;
    /** Is never processed. */
    wait(): void;
    /** Is processed after some time. */
    delay(milliseconds: number): void;
    /** Blocks the thread forever. */
    block(): void;
    exit(code: number): void;
    exhaustMemory(): void;
    report(reason: string | undefined): void;
    /** Returns the memory with its first byte increased. */
    increase(memory: ArrayBuffer): ArrayBuffer;
    shoutTwice(text: string): string;
  };
  readonly ownerCalls: {
    shout(text: string): string;
    note(text: string): void;
  };
}

const blockForever = () => {
  for (;;);
};

serveWorker<TestWorker>(async ({ data: { greeting, opens, closes }, owner, report }) => {
  if (opens === "never") await new Promise(() => {});
  if (opens === "with an error") throw new Error("no way to open");
  if (opens === "blocking") blockForever();
  return {
    handlers: {
      greet: (name) => `${greeting}, ${name}`,
      add: (one, other) => one + other,
      fail(message, code) {
        throw Object.assign(new RangeError(message), { code });
      },
      wait: () => new Promise(() => {}),
      delay: (milliseconds) => delay(milliseconds),
      block: blockForever,
      exit: (code) => process.exit(code),
      exhaustMemory() {
        const kept: number[][] = [];
        for (;;) kept.push(new Array(100_000).fill(kept.length));
      },
      report,
      increase(memory) {
        new Uint8Array(memory)[0]! += 1;
        return new Transferred(memory, [memory]);
      },
      async shoutTwice(text) {
        owner.post("note", [text]);
        return `${await owner.call("shout", text)} ${await owner.call("shout", text)}`;
      },
    },
    async close() {
      if (closes === "never") await new Promise(() => {});
      owner.post("note", ["closed"]);
    },
  };
});
