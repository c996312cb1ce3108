const callbacks = new Set<() => void>();

/**
 * Calls back when the process exits. All applications of a process share one listener, because Node warns if there are
 * more than ten.
 */
export function onProcessExit(callback: () => void): () => void {
  if (callbacks.size === 0) process.on("exit", callAll);
  callbacks.add(callback);
  return () => {
    if (callbacks.delete(callback) && callbacks.size === 0) process.off("exit", callAll);
  };
}

function callAll(): void {
  for (const callback of callbacks) callback();
}
