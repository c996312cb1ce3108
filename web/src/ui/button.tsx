import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

type Look = "plain" | "primary" | "danger" | "ghost";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "onClick"> {
  readonly look?: Look;
  readonly icon?: IconName;
  readonly children?: ComponentChildren;
  /**
   * While a promise that it gives is open, the button says that it is at work and does nothing more. It is not
   * disabled, since that would take the focus from whoever pressed it by keyboard.
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

/** A button that is only a drawing; the name is what it is called. */
export function IconButton({ name, icon, ...rest }: ButtonProps & { name: string; icon: IconName }) {
  return <Button look="ghost" {...rest} icon={icon} aria-label={name} title={name} />;
}

interface CopyButtonProps {
  /** The text, or what makes it when it is wanted. */
  readonly text: string | (() => string);
  readonly name?: string;
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, name = "Copy" }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await copyText(typeof text === "string" ? text : text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  }
  return <IconButton name={isCopied ? "Copied" : name} icon={isCopied ? "check" : "copy"} onClick={copy} />;
}

/** Over plain HTTP a browser has no clipboard to write to, so the text is selected and copied the old way. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  // Behind an open dialog nothing can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
