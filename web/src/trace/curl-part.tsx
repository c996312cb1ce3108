import { useState } from "preact/hooks";
import type { RequestDetail } from "../../../src/features/metrics/wire.ts";
import { Button, copyText } from "../ui/controls/button.tsx";
import { toCurl } from "./curl.ts";

const withBody = new Set(["POST", "PUT", "PATCH"]);

interface CurlPartProps extends Pick<RequestDetail, "method" | "path"> {
  readonly headers: NonNullable<RequestDetail["headers"]>;
}

/** The request as a curl command. */
export function CurlPart({ method, path, headers }: CurlPartProps) {
  const [isCopied, setCopied] = useState(false);
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
