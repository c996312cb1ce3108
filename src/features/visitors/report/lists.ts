import { type ListItem, type ListName, listNames } from "../messages.ts";

/** Label for visitors without a referrer. */
export const direct = "(direct)";

type Field = "views" | "visitorDays" | "sessions" | "bounces";
type Sums = Record<Field, number>;

/** The fields of each list. With a page filter, only views are available. */
const fields: Record<ListName, readonly Field[]> = {
  pages: ["views"],
  entryPages: ["visitorDays", "sessions", "bounces"],
  referrers: ["visitorDays", "views"],
  browsers: ["visitorDays", "views"],
  operatingSystems: ["visitorDays", "views"],
  devices: ["visitorDays", "views"],
};

/** A year of unique pages has a million names. Above this limit, those with the lowest counts are dropped. */
const mostNames = 20_000;

/** Lists that are summed day by day. */
export interface Lists {
  /** Adds the counts of a day for each of its names. */
  add(list: ListName, field: Field, names: readonly string[], sums: Float64Array): void;
  take(top: number): Record<ListName, ListItem[]>;
}

export function createLists({ knowsVisits }: { knowsVisits: boolean }): Lists {
  const lists = new Map<ListName, Map<string, Sums>>(listNames.map((list) => [list, new Map()]));

  function inOrder(list: ListName, items: ReadonlyMap<string, Sums>): [string, Sums][] {
    const field = knowsVisits && list !== "pages" ? "visitorDays" : "views";
    return [...items].sort(
      ([name, one], [otherName, another]) => another[field] - one[field] || (name < otherName ? -1 : 1),
    );
  }

  function toItem(list: ListName, name: string, sums: Sums): ListItem {
    const known = fields[list].filter((field) => knowsVisits || field === "views");
    return { name, ...Object.fromEntries(known.map((field) => [field, sums[field]])) };
  }

  return {
    add(list, field, names, sums) {
      const items = lists.get(list)!;
      for (let id = 0; id < sums.length; id++) {
        if (sums[id] === 0) continue;
        const item = items.get(names[id]!) ?? { views: 0, visitorDays: 0, sessions: 0, bounces: 0 };
        item[field] += sums[id]!;
        items.set(names[id]!, item);
      }
      if (items.size > mostNames) lists.set(list, new Map(inOrder(list, items).slice(0, mostNames / 2)));
    },
    take(top) {
      const items = (list: ListName) =>
        inOrder(list, lists.get(list)!)
          // Bots have neither an operating system nor a device.
          .filter(([name]) => name !== "" || list === "referrers")
          .slice(0, top)
          .map(([name, sums]) => toItem(list, name === "" ? direct : name, sums));
      return Object.fromEntries(listNames.map((list) => [list, items(list)])) as Record<ListName, ListItem[]>;
    },
  };
}
