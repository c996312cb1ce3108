import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatBytes, formatMs } from "../../format/numbers.ts";
import { Problem } from "../../ui/feedback/notice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Status, toneOfCode } from "../../ui/status.tsx";
import { CodeBlock } from "../code-block.tsx";
import { Disclosure } from "../disclosure.tsx";
import { Reading } from "../reading.ts";
import { indentJson, problemOfJson } from "./json-text.ts";
import type { ReceivedResponse } from "./send-request.ts";

/** Rendering more would slow down the page. */
const mostShown = 200_000;

interface ResponseViewProps {
  readonly response?: ReceivedResponse | undefined;
  readonly error?: Error | undefined;
}

/** The response to a request, or the error. */
export function ResponseView({ response, error }: ResponseViewProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (response || error) place.current?.scrollIntoView({ block: "nearest" });
  }, [response, error]);
  return (
    <div ref={place} class="received stack" hidden={!response && !error}>
      <div role="status">{response && <Headline response={response} />}</div>
      {error && <Problem error={error} />}
      {response && <ResponseBody response={response} />}
    </div>
  );
}

function Headline({ response }: { response: ReceivedResponse }) {
  const { status, statusText, milliseconds, body, traceId } = response;
  const { links } = useContext(Reading);
  return (
    <p class="received-line cluster baseline gap-11">
      <Status tone={toneOfCode(status)}>
        {status} {statusText}
      </Status>
      <span title="Until the last byte arrived">{formatMs(milliseconds)}</span>
      <span>{formatBytes(body.length)}</span>
      {traceId &&
        (links.trace ? (
          <a href={links.trace(traceId)}>
            Trace <code>{traceId}</code>
          </a>
        ) : (
          <span>
            Trace <code>{traceId}</code>
          </span>
        ))}
    </p>
  );
}

function ResponseBody({ response }: { response: ReceivedResponse }) {
  const { body, headers, note, redirectedTo } = response;
  const shown = useMemo(() => showBody(response), [response]);
  return (
    <>
      {redirectedTo && <Note>Redirected to {redirectedTo}; this is its response.</Note>}
      {note && <Note>{note}</Note>}
      {shown.isCut && <Note>Only the first 200 KB are shown. The download has all of it.</Note>}
      {body.length === 0 && <p class="hint">No body.</p>}
      {shown.text !== undefined && body.length > 0 && (
        <CodeBlock text={shown.text} label="Response body" isJson={shown.isJson} />
      )}
      {body.length > 0 && (shown.text === undefined || shown.isCut || isFile(headers)) && (
        <Download response={response} isText={shown.text !== undefined} />
      )}
      <Disclosure summary={<span>{headers.length} headers</span>}>
        {() => (
          <dl class="facts">
            {headers.map(([name, value]) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd class="mono">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Disclosure>
    </>
  );
}

function Note({ children }: { children: preact.ComponentChildren }) {
  return (
    <p class="note">
      <Icon name="info" />
      <span>{children}</span>
    </p>
  );
}

function showBody({ type, body }: ReceivedResponse): { text?: string; isCut: boolean; isJson: boolean } {
  const isJson = /[/+]json\b/i.test(type);
  const isText =
    isJson || /^text\/|[/+](?:xml|javascript|x-www-form-urlencoded|yaml|ndjson|csv)\b/i.test(type);
  if (!isText) return { isCut: false, isJson };
  const whole = new TextDecoder().decode(body);
  const isSound = isJson && problemOfJson(whole) === undefined;
  const text = isSound ? indentJson(whole, mostShown) : whole;
  return { text: text.slice(0, mostShown), isCut: text.length > mostShown, isJson };
}

interface DownloadProps {
  readonly response: ReceivedResponse;
  readonly isText: boolean;
}

function Download({ response: { body, type, headers }, isText }: DownloadProps) {
  const [address, setAddress] = useState<string | undefined>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([body], { type: type || "application/octet-stream" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [body]);
  return (
    <p>
      {!isText && (
        <span class="hint">
          {type ? `The content type is ${type}` : "The content type is unknown"}, so the body is not shown.{" "}
        </span>
      )}
      <a class="button" {...(address && { href: address })} download={fileNameOf(headers)}>
        <Icon name="download" />
        Download {formatBytes(body.length)}
      </a>
    </p>
  );
}

function dispositionOf(headers: ReceivedResponse["headers"]): string {
  return headers.find(([name]) => name === "content-disposition")?.[1] ?? "";
}

function isFile(headers: ReceivedResponse["headers"]): boolean {
  return /^attachment/i.test(dispositionOf(headers));
}

function fileNameOf(headers: ReceivedResponse["headers"]): string {
  return /filename="?([^";]+)/i.exec(dispositionOf(headers))?.[1] ?? "response";
}
