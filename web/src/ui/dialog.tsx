import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button, IconButton } from "./button.tsx";
import { ToastList } from "./toast.tsx";

interface DialogProps {
  readonly title: ComponentChildren;
  /** Absent where there is nothing to go back to: then it stays until it is answered. */
  onClose?(): void;
  readonly children: ComponentChildren;
  /** A dialog stands in the middle, a drawer at the side. */
  readonly kind?: "dialog" | "drawer" | "palette";
  /** Under the content, and always in sight. */
  readonly footer?: ComponentChildren;
  /** Whether the title is for those only who cannot see. */
  readonly hideTitle?: boolean;
}

/** Those that are open, the topmost last. Outside of it nothing can be heard or pressed, so news is told inside. */
const open = signal<readonly string[]>([]);

/** Where news is told while no dialog is open; the shell has one. */
export function Toasts() {
  return open.value.length === 0 ? <ToastList /> : null;
}

/** The browser's own dialog: it keeps the focus, closes with Escape and gives the focus back. */
export function Dialog({
  title,
  onClose,
  children,
  kind = "dialog",
  footer,
  hideTitle = false,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    open.value = [...open.value, id];
    return () => {
      open.value = open.value.filter((each) => each !== id);
      (before as HTMLElement | null)?.focus?.();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, this is for those who click beside it.
    <dialog
      ref={dialog}
      class={kind}
      aria-labelledby={id}
      onCancel={(event) => {
        // Whoever opened it closes it, or has a reason not to.
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // A browser asks once only; whoever presses Escape again closes it unasked.
        if (onClose) onClose();
        else dialog.current?.showModal();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose?.();
      }}
    >
      <div class="dialog-body">
        <header class={hideTitle ? "visually-hidden" : "dialog-head"}>
          <h2 id={id}>{title}</h2>
          {!hideTitle && onClose && <IconButton name="Close" icon="close" onClick={onClose} />}
        </header>
        <div class="dialog-content">{children}</div>
        {footer && <footer class="dialog-foot">{footer}</footer>}
      </div>
      {open.value.at(-1) === id && <ToastList />}
    </dialog>
  );
}

interface Question {
  readonly title: string;
  /** What will happen, and what will not come back. */
  readonly body: ComponentChildren;
  /** The word on the button: what is done, not "OK". */
  readonly action: string;
  readonly isDangerous?: boolean;
}

const asked = signal<(Question & { answer(yes: boolean): void }) | undefined>(undefined);

/** Asks before something is done. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer(yes) {
        asked.value = undefined;
        resolve(yes);
      },
    };
  });
}

/** Where such questions appear; the shell has one. */
export function Confirmation() {
  const question = asked.value;
  if (!question) return null;
  const { title, body, action, isDangerous = false, answer } = question;
  const footer = (
    <>
      <Button onClick={() => answer(false)}>Cancel</Button>
      <Button look={isDangerous ? "danger" : "primary"} onClick={() => answer(true)}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={() => answer(false)} footer={footer}>
      {body}
    </Dialog>
  );
}
