// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Mail {
  id: string;
  state: "sent" | "failed";
  channel: "mail";
  address: string;
}

interface Push {
  id: string;
  state: "sent" | "seen";
  channel: "push" | "silent";
  device: string;
}

interface FirstFormat {
  version: 1;
  name: string;
}

interface SecondFormat {
  version: 2;
  label: string;
}

interface Guest {
  role: null | "guest";
  until: Date;
}

interface Member {
  role: "member";
  since: Date;
}

interface Former {
  role: null | "former";
  since: Date;
}

interface Created {
  event: { type: "created" };
}

interface Removed {
  event: { type: "removed" };
}

/** Only a text that all have, and that tells one from another, is a discriminator. */
interface Feed {
  message: Mail | Push;
  last: Mail | Push | null;
  format: FirstFormat | SecondFormat;
  visitor: Guest | Member;
  user: Guest | Former;
  change: Created | Removed;
  entry: Mail | string;
  at: Date | string;
  values: string[] | number[];
}

declare function find(): Feed;

function getFeed(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/feed", getFeed);
}
