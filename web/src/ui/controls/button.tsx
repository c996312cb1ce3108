import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon, type IconName } from "../icon.tsx";

type Look = "plain" | "primary" | "danger" | "ghost";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "onClick"> {
  readonly look?: Look;
  readonly icon?: IconName;
  readonly children?: ComponentChildren;
  /**
   * If it returns a promise, the button shows progress and ignores clicks until the promise settles. It is not
   * disabled, because that would remove the keyboard focus.
   */
  onClick?(event: MouseEvent): unknown;
}

export function Button({ look = "plain", icon, children, onClick, disabled, ...rest }: ButtonProps) {
  const [isBusy, setBusy] = useState(false);
  async function press(event: MouseEvent): Promise<void> {
    if (isBusy) return;
    const work = onClick?.(event);
    if (!(work instanceof Promise)) return;
    setBusy(true);
    await work.finally(() => setBusy(false));
  }
  return (
    <button
      type="button"
      class={`button ${look}`}
      {...rest}
      onClick={press}
      disabled={disabled}
      aria-busy={isBusy}
    >
      {icon && <Icon name={isBusy ? "running" : icon} />}
      {children}
    </button>
  );
}

/** A button with an icon only; `name` is its accessible name. */
export function IconButton({ name, icon, ...rest }: ButtonProps & { name: string; icon: IconName }) {
  return <Button look="ghost" {...rest} icon={icon} aria-label={name} title={name} />;
}

interface CopyButtonProps {
  /** The text, or a function that creates it on demand. */
  readonly text: string | (() => string);
  readonly name?: string;
}

/** Copies a text and confirms it for a moment. */
export function CopyButton({ text, name = "Copy" }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await copyText(typeof text === "string" ? text : text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  }
  return <IconButton name={isCopied ? "Copied" : name} icon={isCopied ? "check" : "copy"} onClick={copy} />;
}

/** The clipboard API is unavailable over plain HTTP; there, the text is selected and copied with `execCommand`. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  // While a dialog is open, elements outside of it cannot be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
