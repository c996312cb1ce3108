/** The path before the paths of Annex, from the option `basePath`. Tests without a page have none. */
export const root: string = globalThis.document?.getElementById("app")?.dataset.root ?? "";
