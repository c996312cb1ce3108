import { fork } from "node:child_process";
import { once } from "node:events";

/** What a process used until its first response. */
export interface Start {
  /** From the start of the process to its first response. */
  readonly startMs: number;
  readonly startCpuMs: number;
  readonly importCpuMs: number;
}

export interface Usage {
  readonly cpuMs: number;
  readonly rss: number;
}

export interface SubjectProcess extends AsyncDisposable {
  readonly start: Start;
  usage(): Promise<Usage>;
}

/** Starts a subject, and sends its first request. */
export async function startSubject(file: string, args: readonly string[]): Promise<SubjectProcess> {
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...inherited } = process.env;
  const begun = performance.now();
  const child = fork(file, args, {
    execArgv: [],
    env: { ...inherited, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const receive = async <Message>() => (await once(child, "message"))[0] as Message;
  const { port, importMs } = await receive<{ port: number; importMs: number }>();
  const response = await fetch(`http://127.0.0.1:${port}/hello`);
  if ((await response.text()) !== '{"hello":"world"}')
    throw new Error(`${file} responded ${response.status}`);
  const startMs = performance.now() - begun;
  const usage = () => {
    child.send("usage");
    return receive<Usage>();
  };
  const { cpuMs } = await usage();
  return {
    start: { startMs, startCpuMs: cpuMs, importCpuMs: importMs },
    usage,
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}
