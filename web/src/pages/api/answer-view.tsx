import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatBytes, formatMs } from "../../format/numbers.ts";
import { hrefTo } from "../../state/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/notice.tsx";
import { Status, toneOfCode } from "../../ui/status.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Fold } from "./fold.tsx";
import { indentJson, problemOfJson } from "./json-text.ts";
import type { Answer } from "./send-request.ts";

/** Rendering more would slow down the page. */
const mostShown = 200_000;

/** The response to a request, or the error. */
export function AnswerView({ answer, error }: { answer?: Answer | undefined; error?: Error | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer || error) place.current?.scrollIntoView({ block: "nearest" });
  }, [answer, error]);
  return (
    <div ref={place} class="answer" hidden={!answer && !error}>
      <div role="status">{answer && <Headline answer={answer} />}</div>
      {error && <Problem error={error} />}
      {answer && <AnswerBody answer={answer} />}
    </div>
  );
}

function Headline({ answer }: { answer: Answer }) {
  const { status, statusText, milliseconds, body, traceId } = answer;
  return (
    <p class="answer-line">
      <Status tone={toneOfCode(status)}>
        {status} {statusText}
      </Status>
      <span title="Until the last byte arrived">{formatMs(milliseconds)}</span>
      <span>{formatBytes(body.length)}</span>
      {traceId && (
        <a href={hrefTo("requests", { trace: traceId })}>
          Trace <code>{traceId}</code>
        </a>
      )}
    </p>
  );
}

function AnswerBody({ answer }: { answer: Answer }) {
  const { body, headers, note, redirectedTo } = answer;
  const shown = useMemo(() => showBody(answer), [answer]);
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
        <Download answer={answer} isText={shown.text !== undefined} />
      )}
      <Fold summary={<span>{headers.length} headers</span>}>
        {() => (
          <dl class="facts">
            {headers.map(([name, value]) => (
              <div key={name} class="facts-row">
                <dt>
                  <code>{name}</code>
                </dt>
                <dd class="mono">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Fold>
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

function showBody({ type, body }: Answer): { text?: string; isCut: boolean; isJson: boolean } {
  const isJson = /[/+]json\b/i.test(type);
  const isText =
    isJson || /^text\/|[/+](?:xml|javascript|x-www-form-urlencoded|yaml|ndjson|csv)\b/i.test(type);
  if (!isText) return { isCut: false, isJson };
  const whole = new TextDecoder().decode(body);
  const isSound = isJson && problemOfJson(whole) === undefined;
  const text = isSound ? indentJson(whole, mostShown) : whole;
  return { text: text.slice(0, mostShown), isCut: text.length > mostShown, isJson };
}

function Download({ answer: { body, type, headers }, isText }: { answer: Answer; isText: boolean }) {
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

function dispositionOf(headers: Answer["headers"]): string {
  return headers.find(([name]) => name === "content-disposition")?.[1] ?? "";
}

function isFile(headers: Answer["headers"]): boolean {
  return /^attachment/i.test(dispositionOf(headers));
}

function fileNameOf(headers: Answer["headers"]): string {
  return /filename="?([^";]+)/i.exec(dispositionOf(headers))?.[1] ?? "response";
}
