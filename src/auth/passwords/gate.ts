/** Runs work with limited concurrency. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs `concurrency` tasks concurrently and queues `queueLimit` more. Further tasks are rejected with the error. */
export function createGate(concurrency: number, queueLimit: number, refuse: () => Error): Gate {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < concurrency) running++;
    else if (line.length < queueLimit) await new Promise<void>((enter) => line.push(enter));
    else throw refuse();
    try {
      return await work();
    } finally {
      // The slot is passed to the first task in the queue, so that a new task cannot overtake it.
      const enter = line.shift();
      if (enter) enter();
      else running--;
    }
  };
}
