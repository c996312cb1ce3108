import { isbot } from "isbot";
import type { Clock } from "../../../lib/time/clock.ts";
import { parseUserAgent } from "../../../lib/user-agent.ts";
import type { Kind, Limits } from "../messages.ts";
import { findAiCrawler, findCrawler } from "./crawlers.ts";

/** Classification of a user agent in fixed words. No text of the header is copied. */
export interface Agent {
  readonly kind: Kind;
  /** For bots, the name of the bot. */
  readonly browser: string;
  /** Empty for bots, as is the device. */
  readonly os: string;
  readonly device: string;
}

const unknown = "Other";

export function describeAgent(agent: string): Agent {
  if (agent.trim() === "") return program("bot", "No agent");
  const ai = findAiCrawler(agent);
  if (ai !== undefined) return program("ai", ai);
  if (isbot(agent)) return program("bot", findCrawler(agent) ?? "Other bot");
  return describeBrowser(agent);
}

function program(kind: Kind, name: string): Agent {
  return { kind, browser: name, os: "", device: "" };
}

function describeBrowser(agent: string): Agent {
  const { browser = unknown, os = unknown, device } = parseUserAgent(agent);
  return { kind: "human", browser, os, device: device ?? (os === "Chrome OS" ? "desktop" : "other") };
}

const mostRemembered = 2_000;
/** Parsing takes up to 0.1 ms, so clients that send a new user agent with each request must not saturate the thread. */
const mostPerSecond = 2_000;

/** Like `describeAgent`, with a cache of recently used agents. */
export function createAgents(clock: Clock, limits: Limits): (agent: string) => Agent {
  const remembered = new Map<string, Agent>();
  let second = 0;
  let looked = 0;

  function hasTime(): boolean {
    const now = Math.floor(clock.now() / 1_000);
    if (now !== second) looked = 0;
    second = now;
    return looked++ < mostPerSecond;
  }

  return (agent) => {
    const known = remembered.get(agent);
    if (known === undefined && !hasTime()) {
      limits.unparsedAgents++;
      return isbot(agent) ? program("bot", "Other bot") : unparsed;
    }
    const described = known ?? describeAgent(agent);
    // Moves the entry to the end, so that the map is in LRU order.
    remembered.delete(agent);
    remembered.set(agent, described);
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!);
    return described;
  };
}

const unparsed: Agent = { kind: "human", browser: unknown, os: unknown, device: "other" };
