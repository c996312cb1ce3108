/** Browsers by the token that is unique to their user agent; the first match wins. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/(\d+)/, "Edge"],
  [/\bOPR\/(\d+)/, "Opera"],
  [/\bSamsungBrowser\/(\d+)/, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/\bHeadlessChrome\/(\d+)/, "Headless Chrome"],
  [/\b(?:Chrome|CriOS)\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, "Windows"],
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** A readable name for a user agent: "Firefox 130 on Linux", "curl 8.5.0". */
export function nameAgent(agent: string): string {
  for (const [pattern, name] of browsers) {
    const version = pattern.exec(agent)?.[1];
    if (version !== undefined) return `${name} ${version}${onSystem(agent)}`;
  }
  const [, program, version] = /^([^\s/]{1,40})(?:\/v?(\d[\w.]*))?/.exec(agent) ?? [];
  return [program, version].filter(Boolean).join(" ");
}

function onSystem(agent: string): string {
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  return system === undefined ? "" : ` on ${system}`;
}
