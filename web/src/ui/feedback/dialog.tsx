import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button, IconButton } from "../controls/button.tsx";
import { ToastList } from "./toast.tsx";

interface DialogProps {
  readonly title: ComponentChildren;
  /** If absent, the dialog cannot be dismissed. */
  onClose?(): void;
  readonly children: ComponentChildren;
  /** A dialog is centred; a drawer is at the side. */
  readonly kind?: "dialog" | "drawer" | "palette";
  /** Below the content, always visible. */
  readonly footer?: ComponentChildren;
  /** Shows the title to screen readers only. */
  readonly hideTitle?: boolean;
}

/** Open dialogs, topmost last. Everything outside of it is inert, so toasts are rendered inside. */
const open = signal<readonly string[]>([]);

/** Toasts while no dialog is open. Rendered by the shell. */
export function Toasts() {
  return open.value.length === 0 ? <ToastList /> : null;
}

/** A native dialog: it traps the focus, closes with Escape and restores the focus. */
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
  // Before the next frame, so that the dialog gets every key that follows the one that opened it.
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    open.value = [...open.value, id];
    return () => {
      open.value = open.value.filter((each) => each !== id);
      element.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; this handles clicks outside of it.
    <dialog
      ref={dialog}
      class={kind}
      aria-labelledby={id}
      onCancel={(event) => {
        // The owner decides whether to close the dialog.
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // Browsers fire `cancel` only once; a second Escape closes the dialog without it.
        if (!dialog.current) return;
        if (onClose) onClose();
        else dialog.current.showModal();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose?.();
      }}
    >
      <div class="dialog-body stack gap-0">
        <header class={hideTitle ? "visually-hidden" : "dialog-head row gap-11"}>
          <h2 id={id}>{title}</h2>
          {!hideTitle && onClose && <IconButton name="Close" icon="close" onClick={onClose} />}
        </header>
        <div class="dialog-content stack gap-11">{children}</div>
        {footer && <footer class="dialog-foot actions">{footer}</footer>}
      </div>
      {open.value.at(-1) === id && <ToastList />}
    </dialog>
  );
}

interface Question {
  readonly title: string;
  /** What happens, including effects that cannot be undone. */
  readonly body: ComponentChildren;
  /** The label of the button: the action, not "OK". */
  readonly action: string;
  readonly isDangerous?: boolean;
}

const asked = signal<(Question & { decide(yes: boolean): void }) | undefined>(undefined);

/** Asks the user to confirm an action. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      decide(yes) {
        asked.value = undefined;
        resolve(yes);
      },
    };
  });
}

/** Renders confirmation dialogs. Part of the shell. */
export function Confirmation() {
  const question = asked.value;
  if (!question) return null;
  const { title, body, action, isDangerous = false, decide } = question;
  const footer = (
    <>
      <Button onClick={() => decide(false)}>Cancel</Button>
      <Button look={isDangerous ? "danger" : "primary"} onClick={() => decide(true)}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={() => decide(false)} footer={footer}>
      {body}
    </Dialog>
  );
}
