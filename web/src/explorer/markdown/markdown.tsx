import { useMemo } from "preact/hooks";
import { type Block, type Inline, parseMarkdown } from "./parse-markdown.ts";

/** A description. It may come from untrusted sources, so no HTML in it is rendered. */
export function Markdown({ text, class: look = "" }: { text: string; class?: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div class={`markdown ${look}`}>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === "code") return <pre class="source">{block.text}</pre>;
  if (block.kind === "list") {
    const items = block.items.map((content, index) => (
      <li key={index}>
        <InlineView content={content} />
      </li>
    ));
    return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
  }
  // Not a heading element: descriptions are parts of sections that have their own.
  return (
    <p class={block.kind === "heading" ? "strong" : ""}>
      <InlineView content={block.content} />
    </p>
  );
}

function InlineView({ content }: { content: readonly Inline[] }) {
  return (
    <>{content.map((part, index) => (typeof part === "string" ? part : <Part key={index} part={part} />))}</>
  );
}

function Part({ part }: { part: Exclude<Inline, string> }) {
  if (part.kind === "code") return <code>{part.text}</code>;
  const inner = <InlineView content={part.content} />;
  if (part.kind === "strong") return <strong>{inner}</strong>;
  if (part.kind === "emphasis") return <em>{inner}</em>;
  return (
    <a href={part.href} rel="noreferrer">
      {inner}
    </a>
  );
}
