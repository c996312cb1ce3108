import type { DroppedData } from "../../../feature/index.ts";

interface Sources {
  readonly feed: { readonly dropped: number };
  readonly errors: { readonly unseen: number };
  readonly requests: { readonly overflowed: number };
  readonly background: { readonly lost: number };
}

/** What the collection drops if there is too much of it. */
export function listDropped({ feed, errors, requests, background }: Sources): DroppedData[] {
  return [
    {
      name: "watchers",
      title: "Disconnected browsers",
      about: "They read the live stream too slowly. They reconnect automatically.",
      count: () => feed.dropped,
    },
    {
      name: "error_details",
      title: "Error details",
      about: "Too many errors occurred in a short time. They are counted, but without stack and trace.",
      count: () => errors.unseen,
    },
    {
      name: "routes",
      title: "Requests beyond the route limit",
      about: "There were more routes than can be counted separately. These requests are counted together.",
      count: () => requests.overflowed,
    },
    {
      name: "handed_over",
      title: "Seconds of metrics",
      about: "The thread that stores them was not running or had too much to do, so charts have a gap.",
      loss: "seconds of metrics",
      count: () => background.lost,
    },
  ];
}
