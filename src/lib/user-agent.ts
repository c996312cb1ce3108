import Bowser from "bowser";

/** The parts of a `User-Agent` header that belong to a known browser, system or device. */
export interface UserAgent {
  readonly browser: string | undefined;
  readonly os: string | undefined;
  readonly device: string | undefined;
}

const browserNames = new Set<string>(Object.values(Bowser.BROWSER_MAP));
const osNames = new Set<string>(Object.values(Bowser.OS_MAP));
const deviceNames = new Set<string>(["desktop", "mobile", "tablet", "tv"]);

/** Parses the header of a browser. The result contains only known names, no text from the client. */
export function parseUserAgent(agent: string): UserAgent {
  const { browser, os, platform } = Bowser.parse(agent);
  // For an unknown browser, the library returns a word from the header.
  return {
    browser: known(browserNames, browser.name),
    os: known(osNames, os.name),
    device: known(deviceNames, platform.type),
  };
}

function known(names: ReadonlySet<string>, name: string | undefined): string | undefined {
  return name !== undefined && names.has(name) ? name : undefined;
}
