const exact = new Set(["/service-worker.js", "/favicon.ico", "/manifest.json", "/robots.txt"]);

/**
 * Whether a path is one that browsers and crawlers request automatically. Such requests are neither logged nor counted.
 * Runs on every request, so the last character excludes most paths before any comparison.
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
  // A target with a fragment is invalid and must not be excluded.
  return path.endsWith(ending) && !path.includes("#");
}
