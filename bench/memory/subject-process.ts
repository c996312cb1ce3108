import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Memory {
  rss: number;
  heapUsed: number;
}

export interface SubjectProcess extends AsyncDisposable {
  readonly port: number;
  /** After a collection of garbage. */
  memory(): Promise<Memory>;
}

export async function startSubject(file: string): Promise<SubjectProcess> {
  const child = fork(fileURLToPath(file), {
    execArgv: ["--expose-gc", "--no-warnings"],
    stdio: ["ignore", 2, 2, "ipc"],
  });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return {
    port,
    async memory() {
      child.send("memory");
      const [memory] = (await once(child, "message")) as [Memory];
      return memory;
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}
