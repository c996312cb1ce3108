/** Keeps the process running until the returned function is called, even if the event loop has nothing else to do. */
export function keepRunning(): () => void {
  const timer = setInterval(() => {}, 60_000);
  return () => clearInterval(timer);
}

/**
 * Keeps the process running until the work settles. Threads and timers of Annex do not keep it running, so a program that
 * only awaits them would end with exit code 13 and without a message.
 */
export async function keepRunningDuring<T>(work: () => Promise<T>): Promise<T> {
  const release = keepRunning();
  try {
    return await work();
  } finally {
    release();
  }
}
