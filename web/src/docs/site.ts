import { root } from "../data/root.ts";

/** What the server says about the page. It is in attributes of the element that the page is rendered into. */

interface VersionChoice {
  readonly version: string;
  readonly status: string;
}

const { dataset } = document.getElementById("app")!;

export const version = dataset.version ?? "";
export const title = dataset.title ?? "";
export const versions = JSON.parse(dataset.versions ?? "[]") as readonly VersionChoice[];
export const documentPath = `${root}/api/docs/${version}/openapi.json`;

export function pathOf(label: string): string {
  return `${root}/api/docs/${label}/swagger`;
}
