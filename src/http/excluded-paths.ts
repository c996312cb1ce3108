const exact = new Set(["/service-worker.js", "/favicon.ico", "/manifest.json", "/robots.txt"]);

/**
 * What browsers and crawlers ask for on their own, which would drown what people ask for. It is neither logged nor
 * counted. Asked on every request, so the last letter rules most paths out before anything is compared.
 */
export function isExcludedPath(path: string): boolean {
  switch (path.charCodeAt(path.length - 1)) {
    case 112: // p
      return path.endsWith(".map");
    case 111: // o
      return path.endsWith(".ico");
    case 116: // t
      return path.endsWith(".webmanifest") || exact.has(path);
    case 115: // s
    case 110: // n
      return exact.has(path);
    default:
      return false;
  }
}
