import { signal } from "@preact/signals";
import { Icon } from "../icon.tsx";

/** A short message about the user's last action. */

interface Toast {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
}

const toasts = signal<readonly Toast[]>([]);
let count = 0;

export function toast(text: string, tone: Toast["tone"] = "good"): void {
  const id = ++count;
  toasts.value = [...toasts.value.slice(-2), { id, tone, text }];
  setTimeout(() => dismiss(id), tone === "bad" ? 10_000 : 5_000);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

/**
 * Runs an action and shows its result: `done`, the message of the response, or the error message. Returns whether it
 * succeeded.
 */
export async function attempt(
  act: () => Promise<{ message?: string } | undefined>,
  done?: string,
): Promise<boolean> {
  try {
    const response = await act();
    toast(done ?? response?.message ?? "Done.");
    return true;
  } catch (error) {
    toast((error as Error).message, "bad");
    return false;
  }
}

export function ToastList() {
  return (
    <div class="toasts stack" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, text }) => (
        <div key={id} class={`toast note ${tone}`}>
          <Icon name={tone} />
          <span>{text}</span>
          <button type="button" class="button ghost slim" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
