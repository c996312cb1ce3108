// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface User {
  id: string;
  age: number;
  admin: boolean;
}

type Flags<T> = { [K in keyof T]: boolean };
type Getters<T> = { [K in keyof T as `get${Capitalize<K & string>}`]: T[K] };
type OnlyStrings<T> = { [K in keyof T as T[K] extends string ? K : never]: T[K] };
type Jsonified<T> = T extends Date ? string : T extends (infer U)[] ? Jsonified<U>[] : T;

interface All {
  flags: Flags<User>;
  getters: Getters<User>;
  strings: OnlyStrings<User>;
  dates: Jsonified<Date[]>;
  key: keyof User;
  field: User["age"];
  mutable: { -readonly [K in keyof User]?: User[K] | null };
}

declare function find(): All;

function getAll(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/all", getAll);
}
