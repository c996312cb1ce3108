import type { FinishedRequest } from "../../../http/index.ts";
import { defaultRedactor, type Redactor } from "../../../lib/redaction/redactor.ts";
import type { PageView } from "../messages.ts";
import { longestPath } from "../names.ts";

/** Configured rules for counting, in addition to page navigations. */
export interface CountingRules {
  readonly honourDoNotTrack: boolean;
  includes(path: string): boolean;
  excludes(path: string): boolean;
}

/** Called for every request, so the most selective checks come first. */
export function isPageView(request: FinishedRequest, rules: CountingRules): boolean {
  const { method, statusCode } = request;
  if (method !== "GET" || statusCode < 200 || (statusCode > 299 && statusCode !== 304)) return false;
  if (request.route?.owner === "Annex") return false;
  if (!isPage(request) && !rules.includes(request.path)) return false;
  if (rules.excludes(request.path) || isAhead(request)) return false;
  return !(rules.honourDoNotTrack && wantsNotToBeCounted(request));
}

function isPage(request: FinishedRequest): boolean {
  const { contentType } = request;
  // A 304 response need not have a content type.
  const isUnchanged = contentType === undefined && request.statusCode === 304;
  if (!isUnchanged && !isHtml(contentType)) return false;
  const destination = request.requestHeader("sec-fetch-dest");
  if (destination !== undefined) {
    return (
      destination === "document" && (request.requestHeader("sec-fetch-mode") ?? "navigate") === "navigate"
    );
  }
  const accept = request.requestHeader("accept");
  if (accept?.includes("text/html")) return true;
  // Crawlers accept anything or send no header; so do scripts that fetch a part of a page.
  const takesAnything = accept === undefined || accept.includes("*/*");
  return !isUnchanged && takesAnything && request.requestHeader("x-requested-with") === undefined;
}

function isHtml(contentType: string | undefined): boolean {
  if (contentType === undefined || contentType.length < 9) return false;
  const type = contentType.slice(0, 9);
  return type === "text/html" || type.toLowerCase() === "text/html";
}

/** Whether the page is prefetched or prerendered. */
function isAhead(request: FinishedRequest): boolean {
  const purpose =
    request.requestHeader("sec-purpose") ??
    request.requestHeader("purpose") ??
    request.requestHeader("x-moz");
  return purpose !== undefined && /prefetch|prerender|preview/i.test(purpose);
}

function wantsNotToBeCounted(request: FinishedRequest): boolean {
  return request.requestHeader("dnt") === "1" || request.requestHeader("sec-gpc") === "1";
}

/** Maximum length of values sent by clients. */
const longest = { path: longestPath, referrer: 300, host: 300, ip: 64, agent: 512 };

/** Paths are cut before and after redaction. The first limit is larger, so that credentials at the second are whole. */
const longestRedacted = 2 * longestPath;

/** Copies the required fields, because the request itself must not be retained. */
export function toPageView(
  request: FinishedRequest,
  time: number,
  redactor: Redactor = defaultRedactor,
): PageView {
  const { ip, userAgent } = request.client;
  return {
    time,
    path: shortPath(request, redactor),
    referrer: authorityOf(request.requestHeader("referer") ?? "").slice(0, longest.referrer),
    host: request.host.slice(0, longest.host),
    ip: ip.slice(0, longest.ip),
    agent: userAgent.slice(0, longest.agent),
  };
}

function shortPath({ path, route }: FinishedRequest, redactor: Redactor): string {
  return redactor.path(path.slice(0, longestRedacted), route?.pattern.text).slice(0, longest.path);
}

/** Returns the authority (host and port) of a URL. */
function authorityOf(address: string): string {
  const scheme = address.indexOf("://");
  if (scheme === -1) return "";
  const rest = address.slice(scheme + 3);
  const end = rest.search(/[/?#\\]/);
  return end === -1 ? rest : rest.slice(0, end);
}
