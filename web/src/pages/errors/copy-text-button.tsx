import { useState } from "preact/hooks";
import { Button, copyText } from "../../ui/controls/button.tsx";

interface CopyTextButtonProps {
  readonly name: string;
  text(): string;
  readonly look?: "plain" | "primary";
}

/** Copies a text and shows the result on the button itself, because toasts outside of a drawer are inert. */
export function CopyTextButton({ name, text, look = "plain" }: CopyTextButtonProps) {
  const [news, setNews] = useState<"done" | "refused" | undefined>(undefined);
  async function copy(): Promise<void> {
    const outcome = await copyText(text()).then(
      () => "done" as const,
      () => "refused" as const,
    );
    setNews(outcome);
    setTimeout(() => setNews(undefined), 2_000);
  }
  const word = news === "done" ? "Copied" : news === "refused" ? "Copy failed" : name;
  return (
    <Button look={look} icon={news === "done" ? "check" : "copy"} onClick={copy}>
      <span aria-live="polite">{word}</span>
    </Button>
  );
}
