/** What the harness and the processes that it starts agree on. */
export type Kind = "own" | "attached" | "bare";

export interface SubjectOptions {
  readonly kind: Kind;
  /** Folder of the checkout that is measured. */
  readonly folder: string;
  readonly dataDir: string;
  /** A PostgreSQL database, if not SQLite. */
  readonly url: string | undefined;
  readonly logMegabytes: number;
}

/** What a process knows about its own memory, in bytes. */
export interface Heaps {
  readonly heapUsed: number;
  readonly heapTotal: number;
  /** The part of the heap for new objects. V8 makes it larger while many of them survive, and keeps it. */
  readonly young: number;
  readonly external: number;
  readonly arrayBuffers: number;
  /** By the name of the thread: what its heap uses and what it has reserved. */
  readonly threads: Readonly<Record<string, { readonly used: number; readonly total: number }>>;
}

export const account = { identity: "bench@example.com", password: "correct horse battery staple" };
