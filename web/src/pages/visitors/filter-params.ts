import type { FilterName, Kind } from "../../../../src/features/visitors/wire.ts";
import { type Params, param, setParams } from "../../state/address.ts";

/** The parameters of the page, stored in the URL. */

export const kinds: readonly Kind[] = ["human", "bot", "ai"];

const filterNames: readonly FilterName[] = ["page", "referrer", "browser", "os", "device"];

export function chosenKind(): Kind {
  return kinds.find((kind) => kind === param("kind")) ?? "human";
}

/** Another kind has other pages and agents, so the filters are cleared. */
export function chooseKind(kind: Kind): void {
  setParams({ ...noFilters, kind: kind === "human" ? undefined : kind });
}

export function chosenFilters(): readonly (readonly [FilterName, string])[] {
  return filterNames.flatMap((name) => {
    const value = param(name);
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** The parameters that do not depend on time. */
export function whoParams(): Params {
  return { kind: chosenKind(), ...Object.fromEntries(chosenFilters()) };
}

export function toggleFilter(name: FilterName, value: string): void {
  setParams({ [name]: param(name) === value ? undefined : value });
}

const noFilters: Params = Object.fromEntries(filterNames.map((name) => [name, undefined]));

export function clearFilters(): void {
  setParams(noFilters);
}

export function isComparing(): boolean {
  return param("compare") === "1";
}
