import { useState } from "preact/hooks";
import type { RequestDetail } from "../../../src/features/metrics/wire.ts";
import { Button, copyText } from "../ui/controls/button.tsx";
import { toCurl } from "./curl.ts";

const withBody = new Set(["POST", "PUT", "PATCH"]);

/** The request as a curl command. */
export function CurlPart({ detail }: { detail: RequestDetail }) {
  const [isCopied, setCopied] = useState(false);
  const { method, path, headers } = detail;
  const { command, leftOut } = toCurl({ origin: window.location.origin, method, path, headers });
  async function copy(): Promise<void> {
    await copyText(command);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  return (
    <section>
      <h3>As curl</h3>
      <pre class="source">{command}</pre>
      <p class="hint">
        Not stored, so not included: the query{withBody.has(method) && ", the body"}
        {leftOut.length > 0 && `, ${leftOut.join(", ")}`}.
      </p>
      <Button icon={isCopied ? "check" : "copy"} onClick={copy}>
        {isCopied ? "Copied" : "Copy as curl"}
      </Button>
    </section>
  );
}
