import { createLoad, type Latencies } from "./load.ts";
import type { SubjectProcess } from "./subject-process.ts";

/** Times in milliseconds. CPU time is that of all threads. */
export interface Figures {
  "writes per second": number;
  "transactions per second": number;
  "CPU per write": number;
  "CPU per transaction": number;
  "page alone, p50": number;
  "page alone, p99": number;
  "page beside writers, p50": number;
  "page beside writers, p99": number;
  "page beside writers, p50 as a ratio": number;
  "pages per second, alone": number;
  "pages per second, beside writers": number;
  "page beside transactions, p50": number;
  "read by key": number;
  "single write": number;
  "single write, CPU": number;
}

const writers = 50;
const fewWriters = 5;
const readers = 4;

/** Each load first runs for a while without being counted. */
const warmupSeconds = 1;

export async function measureRound(subject: SubjectProcess, seconds: number): Promise<Figures> {
  const { port } = subject;
  const single = await subject.ask({ single: true });

  /** Runs the load, and returns what it was and its CPU time per request. */
  async function measure(path: string, connections: number): Promise<Latencies & { cpuMs: number }> {
    const load = createLoad({ port, path, connections });
    await load.run(warmupSeconds);
    const before = await subject.ask({ cpu: true });
    const latencies = await load.run(seconds);
    const after = await subject.ask({ cpu: true });
    load.close();
    return { ...latencies, cpuMs: (after.cpuMs - before.cpuMs) / latencies.requests };
  }

  async function measurePageBeside(path: string): Promise<Latencies> {
    const load = createLoad({ port, path, connections: fewWriters });
    const writing = load.run(warmupSeconds + seconds + 1);
    const page = await measure("/hello", readers);
    await writing;
    load.close();
    return page;
  }

  const alone = await measure("/hello", readers);
  const writes = await measure("/write", writers);
  const transactions = await measure("/transaction", writers);
  const beside = await measurePageBeside("/write");
  const besideTransactions = await measurePageBeside("/transaction");
  return {
    "writes per second": writes.perSecond,
    "transactions per second": transactions.perSecond,
    "CPU per write": writes.cpuMs,
    "CPU per transaction": transactions.cpuMs,
    "page alone, p50": alone.p50,
    "page alone, p99": alone.p99,
    "page beside writers, p50": beside.p50,
    "page beside writers, p99": beside.p99,
    "page beside writers, p50 as a ratio": beside.p50 / alone.p50,
    "pages per second, alone": alone.perSecond,
    "pages per second, beside writers": beside.perSecond,
    "page beside transactions, p50": besideTransactions.p50,
    "read by key": single.readMs,
    "single write": single.writeMs,
    "single write, CPU": single.writeCpuMs,
  };
}
