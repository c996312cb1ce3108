/** What a call costs, in CPU time, which other work on the machine does not distort. */
export interface Cost {
  /** Of all threads. */
  readonly cpuMs: number;
  /** The longest turn of the event loop of the main thread. */
  readonly turnMs: number;
}

const threadMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const processMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Measures the work: CPU time of the process, and the longest time for which the event loop could do nothing else. */
export async function measureCost(work: () => Promise<unknown>): Promise<Cost> {
  let longest = 0;
  let last = threadMs();
  const turn = () => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(turn, 1);
  const before = processMs();
  await work();
  turn();
  clearInterval(timer);
  return { cpuMs: processMs() - before, turnMs: longest };
}

/** The medians of several calls. The first call warms up. */
export async function measureCalls(rounds: number, work: (round: number) => Promise<unknown>): Promise<Cost> {
  await work(0);
  const costs: Cost[] = [];
  for (let round = 1; round <= rounds; round++) costs.push(await measureCost(() => work(round)));
  const sorted = costs.map(({ cpuMs }) => cpuMs).sort((one, other) => one - other);
  const turns = costs.map(({ turnMs }) => turnMs).sort((one, other) => one - other);
  return { cpuMs: sorted[Math.floor(rounds / 2)]!, turnMs: turns[Math.floor(rounds / 2)]! };
}
