import { useState } from "preact/hooks";
import { Choice } from "../../../ui/controls/choice.tsx";
import { CodeBlock } from "../code-block.tsx";
import type { PreparedRequest } from "./draft.ts";
import { toCurl, toFetch } from "./snippets.ts";

type Tool = "curl" | "fetch";

/** The current request, for a terminal or a program. */
export function Snippets({ request, isSigned }: { request: PreparedRequest; isSigned: boolean }) {
  const [tool, setTool] = useState<Tool>("curl");
  const parts = { request, origin: window.location.origin, isSigned };
  const text = tool === "curl" ? toCurl(parts) : toFetch(parts);
  return (
    <section class="stack" aria-label="Code examples for this request">
      <header class="cluster gap-8">
        <h3>Code examples</h3>
        <Choice<Tool>
          name="Tool"
          value={tool}
          options={[
            { value: "curl", label: "curl" },
            { value: "fetch", label: "fetch" },
          ]}
          onChoose={setTool}
        />
        {isSigned && (
          <span class="hint">
            Set <code>{tool === "curl" ? "$TOKEN" : "token"}</code> to a token first.
          </span>
        )}
      </header>
      <CodeBlock text={text} label={`Request with ${tool}`} />
    </section>
  );
}
