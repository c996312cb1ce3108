/** Label for entries that exceed a limit. No page or host has this name. */
export const other = "(other)";

/** Maximum number of characters of a path that are processed, before decoding. */
export const longestPath = 800;
const longestPage = 200;
const longestHost = 100;

/** Formats a path for display: decoded if it is valid UTF-8, without control characters, and truncated. */
export function pageName(path: string): string {
  const text = path.startsWith("/") ? path : `/${path}`;
  return plainText(decode(text), longestPage);
}

/** Invalid paths are returned unchanged. */
function decode(path: string): string {
  // A truncated path may end within a character, which has at most four bytes and therefore twelve characters.
  const spare = path.length >= longestPath ? 11 : 0;
  for (let cut = 0; cut <= spare; cut++) {
    try {
      return decodeURIComponent(path.slice(0, path.length - cut));
    } catch {}
  }
  return path;
}

/** Control characters, invisible characters and characters that change the text direction. */
const disturbing =
  /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

function plainText(text: string, most: number): string {
  // Truncation may leave half a surrogate pair, which databases reject.
  return text.slice(0, most).toWellFormed().replace(disturbing, "\u{fffd}");
}

/** A host without its port and `www.`; empty if invalid. */
export function hostName(authority: string): string {
  const host = authority
    .slice(authority.lastIndexOf("@") + 1)
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^www\./, "")
    .replace(/\.$/, "");
  return /^(?:[a-z0-9_-][a-z0-9._-]*|\[[0-9a-f:.]+\])$/.test(host) ? host.slice(0, longestHost) : "";
}

/** The referring host; empty if there is none or if it is the site's own. */
export function referrerName(authority: string, ownHost: string): string {
  const host = hostName(authority);
  return host === ownHost ? "" : host;
}
