const exact = new Set(["/service-worker.js", "/favicon.ico", "/manifest.json", "/robots.txt"]);

/**
 * What browsers and crawlers ask for on their own, which would drown what people ask for. It is neither logged nor
 * counted. Asked on every request, so the last letter rules most paths out before anything is compared.
 */
export function isExcludedPath(path: string): boolean {
  switch (path.charCodeAt(path.length - 1)) {
    case 112: // p
      return endsIn(path, ".map");
    case 111: // o
      return endsIn(path, ".ico");
    case 116: // t
      return endsIn(path, ".webmanifest") || exact.has(path);
    case 115: // s
    case 110: // n
      return exact.has(path);
    default:
      return false;
  }
}

function endsIn(path: string, ending: string): boolean {
  // A fragment is no part of a path, and must not hide a request.
  return path.endsWith(ending) && !path.includes("#");
}
