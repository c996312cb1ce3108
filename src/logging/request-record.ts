import { STATUS_CODES } from "node:http";
import type { Client, FinishedRequest } from "../http/index.ts";
import { formatDuration } from "../lib/duration.ts";
import { levels } from "./levels.ts";
import { createRate } from "./rate.ts";
import type { Sink } from "./sink.ts";

/**
 * The `http_request` record. It is written for every request, so it is put together from parts that are the same for
 * many: the second it falls in, the method, the status, the client. All of it is escaped to ASCII, which lets the sink
 * copy it without encoding.
 */
export function createRequestRecord(sink: Sink): (request: FinishedRequest) => void {
  const heads = new Map<string, string>();
  const statuses = new Map<number, string>();
  const rate = createRate();
  let second = Number.NaN;
  let prefix = "";
  let tail = "";

  function enterSecond(now: number): void {
    second = now;
    prefix = `{"time":"${new Date(now * 1000).toISOString().slice(0, 20)}`;
    tail = `,"request_rate":${rate.at(now)}}\n`;
  }

  return (request) => {
    const now = Date.now();
    const currentSecond = Math.floor(now / 1000);
    if (currentSecond !== second) enterSecond(currentSecond);
    rate.count();
    const { client } = request;
    sink.writeAscii(
      prefix +
        threeDigits(now - currentSecond * 1000) +
        recordHead +
        request.traceId +
        (heads.get(request.method) ?? rememberHead(heads, request.method)) +
        escapeText(request.path) +
        (statuses.get(request.statusCode) ?? rememberStatus(statuses, request.statusCode)) +
        formatDuration(request.durationMs, "\\u00b5") +
        (client.encoded ?? rememberClient(client)) +
        request.contentLength +
        traceparentOf(request) +
        tail,
      levels.debug,
      now,
    );
  };
}

const recordHead =
  'Z","level":"DEBUG","msg":"Request processed","event":"http_request","group":"request","trace_id":"';

function rememberHead(heads: Map<string, string>, method: string): string {
  const head = `","method":"${escapeText(method)}","path":"`;
  heads.set(method, head);
  return head;
}

function rememberStatus(statuses: Map<number, string>, code: number): string {
  const text = `","status":"${code} ${code === 499 ? "Client Closed Request" : (STATUS_CODES[code] ?? "")}","duration":"`;
  statuses.set(code, text);
  return text;
}

function rememberClient(client: Client): string {
  const segment = `","ip":"${escapeText(client.ip)}","user_agent":"${escapeText(client.userAgent)}","content_length":`;
  client.encoded = segment;
  return segment;
}

function traceparentOf({ traceparent }: FinishedRequest): string {
  return traceparent === undefined ? "" : `,"traceparent":"${escapeText(traceparent)}"`;
}

const needsEscape = /["\\\x00-\x1f\x7f-\uffff]/;

/** A path or an agent longer than this says nothing more to anyone. */
const maxTextLength = 8_192;

function escapeText(whole: string): string {
  const text = whole.length > maxTextLength ? `${whole.slice(0, maxTextLength)}…` : whole;
  if (!needsEscape.test(text)) return text;
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\x7f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function threeDigits(value: number): string {
  if (value > 99) return `${value}`;
  return value > 9 ? `0${value}` : `00${value}`;
}
