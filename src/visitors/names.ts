/** Stands for everything beyond what is told apart. No page and no host is called so. */
export const other = "(other)";

/** The most characters of a path that are looked at, before it is decoded. */
export const longestPath = 800;
const longestPage = 200;
const longestHost = 100;

/** The path as people read it: decoded where it is UTF-8, without what would disturb a screen or a table, and not long. */
export function pageName(path: string): string {
  const text = path.startsWith("/") ? path : `/${path}`;
  return plainText(decode(text), longestPage);
}

/** A path that fails is left as it was sent. */
function decode(path: string): string {
  // One that was cut may end within a letter, which has at most four bytes, and so twelve characters.
  const spare = path.length >= longestPath ? 11 : 0;
  for (let cut = 0; cut <= spare; cut++) {
    try {
      return decodeURIComponent(path.slice(0, path.length - cut));
    } catch {}
  }
  return path;
}

/** Control characters, and those that nobody sees or that turn the direction of writing around. */
const disturbing =
  /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

function plainText(text: string, most: number): string {
  // The cut may leave half a letter, which a database would not take.
  return text.slice(0, most).toWellFormed().replace(disturbing, "\u{fffd}");
}

/** A host without its port and without `www.`; empty where it is not one. */
export function hostName(authority: string): string {
  const host = authority
    .slice(authority.lastIndexOf("@") + 1)
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^www\./, "")
    .replace(/\.$/, "");
  return /^(?:[a-z0-9_-][a-z0-9._-]*|\[[0-9a-f:.]+\])$/.test(host) ? host.slice(0, longestHost) : "";
}

/** Where a visitor came from: another host, or empty. */
export function referrerName(authority: string, ownHost: string): string {
  const host = hostName(authority);
  return host === ownHost ? "" : host;
}
