import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ToThread } from "./messages.ts";
import { ThreadQuestions } from "./thread-questions.ts";

function createQuestions(patienceMs?: number) {
  const asked: ToThread[] = [];
  const questions = new ThreadQuestions((question) => asked.push(question), patienceMs);
  return { asked, questions };
}

describe("a request to the analysis thread", () => {
  it("gets its own result in any order", async () => {
    const { asked, questions } = createQuestions();
    const answers = Promise.all([questions.ask({ kind: "list" }), questions.ask({ kind: "list" })]);
    assert.deepEqual(asked, [
      { kind: "list", ticket: 1 },
      { kind: "list", ticket: 2 },
    ]);
    const [first, second] = ["a", "b"].map((name) => ({ structs: { [name]: {} }, handlers: {} }));
    questions.receive({ kind: "answer", ticket: 2, answer: second! });
    questions.receive({ kind: "answer", ticket: 1, answer: first! });
    assert.deepEqual(await answers, [first, second]);
  });

  it("fails with the thread's reason, after a timeout, and if the thread has ended", async () => {
    const { questions } = createQuestions(20);
    const refused = assert.rejects(questions.ask({ kind: "list" }), /it is broken/);
    questions.receive({ kind: "refusal", ticket: 1, reason: "it is broken" });
    await refused;
    await assert.rejects(questions.ask({ kind: "list" }), /timed out/);
    const open = assert.rejects(questions.ask({ kind: "list" }), /has ended/);
    questions.end();
    await open;
    await assert.rejects(questions.ask({ kind: "list" }), /has ended/);
  });
});
