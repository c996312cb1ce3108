import type { FromThread, ToThread } from "./messages.ts";

type Question = Extract<ToThread, { ticket: number }>;
type Asked = Question extends infer Q ? (Q extends Question ? Omit<Q, "ticket"> : never) : never;

/** Requests to the analysis thread and their results. Every request has a timeout. */
export class ThreadQuestions {
  private readonly tell: (question: Question) => void;
  private readonly patienceMs: number;
  private readonly open = new Map<number, PromiseWithResolvers<never>>();
  private count = 0;
  private isEnded = false;

  /** `patienceMs`: the timeout. The thread may be busy with the compiler. */
  constructor(tell: (question: Question) => void, patienceMs = 15_000) {
    this.tell = tell;
    this.patienceMs = patienceMs;
  }

  async ask<T extends Extract<FromThread, { kind: "answer" }>["answer"]>(asked: Asked): Promise<T> {
    if (this.isEnded) throw new Error("The analysis has ended.");
    const ticket = ++this.count;
    const waiting = Promise.withResolvers<never>();
    this.open.set(ticket, waiting);
    const giveUp = () => waiting.reject(new Error("The analysis timed out."));
    const timer = setTimeout(giveUp, this.patienceMs);
    try {
      this.tell({ ...asked, ticket } as Question);
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
      this.open.delete(ticket);
    }
  }

  receive(message: Extract<FromThread, { ticket: number }>): void {
    const waiting = this.open.get(message.ticket);
    if (message.kind === "answer") waiting?.resolve(message.answer as never);
    else waiting?.reject(new Error(message.reason));
  }

  /** Rejects all pending and all later requests. */
  end(): void {
    this.isEnded = true;
    for (const { reject } of this.open.values()) reject(new Error("The analysis has ended."));
  }
}
