// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Todo {
  id: string;
}

type Maybe = Todo | undefined;
type Listener = string | ((todo: Todo) => void);
type Callback = string | Function;
type Nothing = void;
type Key = PropertyKey;

/** A name does not bring back what JSON leaves out: such a field is not required, and in a list it is null. */
interface Hooks {
  current: Maybe;
  recent: Maybe[];
  onChange: Listener;
  onClose: Callback;
  listeners: Listener[];
  callbacks: Callback[];
  result: Nothing;
  key: Key;
}

declare function find(): Hooks;
declare function current(): Maybe;

function getHooks(e: RequestEvent) {
  return e.json(200, find());
}

function getCurrent(e: RequestEvent) {
  return e.json(200, current());
}

export function routes(router: VersionedRouter): void {
  router.get("/hooks", getHooks);
  router.get("/current", getCurrent);
}
