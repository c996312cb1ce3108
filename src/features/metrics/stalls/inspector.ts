import { createRequire } from "node:module";

/** Runs code on the main thread, even while it is blocked by JavaScript. */
export interface InspectorSession {
  /** Calls back after the expression was evaluated. */
  evaluate(expression: string, onDone: () => void): void;
  close(): void;
}

/**
 * Connects to the main thread's inspector, without a port and without the debugger: no code is slowed down or paused.
 * Returns undefined if this Node has no inspector, or if it is not allowed.
 */
export function openInspector(): InspectorSession | undefined {
  try {
    const { Session } = createRequire(import.meta.url)("node:inspector") as typeof import("node:inspector");
    const session = new Session();
    session.connectToMainThread();
    return {
      evaluate: (expression, onDone) =>
        session.post("Runtime.evaluate", { expression, silent: true, returnByValue: true }, onDone),
      close: () => session.disconnect(),
    };
  } catch {
    return undefined;
  }
}
