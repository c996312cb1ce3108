import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Single {
  readonly readMs: number;
  readonly writeMs: number;
  readonly writeCpuMs: number;
}
export interface Cpu {
  readonly cpuMs: number;
}

/** A server in a process of its own. */
export interface SubjectProcess extends AsyncDisposable {
  readonly port: number;
  /** Medians of single statements, one after another. */
  ask(question: { single: true }): Promise<Single>;
  /** CPU time of the process so far. */
  ask(question: { cpu: true }): Promise<Cpu>;
}

export async function startSubject(folder: string): Promise<SubjectProcess> {
  const child = fork(fileURLToPath(import.meta.resolve("./subject.ts")), [folder], {
    execArgv: ["--no-warnings"],
    stdio: ["ignore", 2, 2, "ipc"],
  });
  const receive = () =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new Error("The server has ended."));
      child.once("exit", fail);
      child.once("message", (answer) => {
        child.off("exit", fail);
        resolve(answer);
      });
    });
  const { port } = (await receive()) as { port: number };
  return {
    port,
    async ask(question: object) {
      child.send(question);
      return (await receive()) as Single & Cpu;
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}
