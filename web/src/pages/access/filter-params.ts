import type { AccessKind } from "../../../../src/features/access/wire.ts";
import { type Params, param, setParams } from "../../state/address.ts";
import { isLive, windowParams } from "../../state/time-window.ts";
import { kinds } from "./kinds.ts";

/** The filters of the page, stored in the URL. */

export function chosenKinds(): readonly AccessKind[] {
  const words = param("kind")?.split(",") ?? [];
  return kinds.filter((kind) => words.includes(kind));
}

export function toggleKind(kind: AccessKind): void {
  const chosen = chosenKinds();
  const next = kinds.filter((each) => (each === kind) !== chosen.includes(each));
  setParams({ kind: next.join() });
}

export type NameFilter = "account" | "address";

export function toggleName(filter: NameFilter, name: string): void {
  setParams({ [filter]: param(filter) === name ? undefined : name });
}

export function clearFilters(): void {
  setParams({ q: undefined, kind: undefined, account: undefined, address: undefined });
}

export function isFiltered(): boolean {
  return ["q", "kind", "account", "address"].some((name) => param(name) !== undefined);
}

/** The filters as parameters of data routes. */
export function filterParams(): Params {
  return {
    kind: chosenKinds().join() || undefined,
    account: param("account"),
    address: param("address"),
    text: param("q"),
    instance: param("instance"),
  };
}

/** The window of a download or a summary. A live window has no end, so that it includes the latest events. */
export function openWindow(): Params {
  const { from, to } = windowParams.value;
  return { from, to: isLive.value ? undefined : to };
}
