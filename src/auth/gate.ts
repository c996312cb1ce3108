/** Runs a piece of work when there is room for it. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets so many in at once and so many wait in line; whoever comes on top of that gets the error. */
export function createGate(atOnce: number, inLine: number, refuse: () => Error): Gate {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running++;
    else if (line.length < inLine) await new Promise<void>((enter) => line.push(enter));
    else throw refuse();
    try {
      return await work();
    } finally {
      // The place is handed on rather than given up, so that nobody slips in before the first in line.
      const enter = line.shift();
      if (enter) enter();
      else running--;
    }
  };
}
