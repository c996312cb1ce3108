import { readFileSync } from "node:fs";

/** It lies above the folder of the sources and of the build alike. */
const description = new URL("../../package.json", import.meta.url);

/** The version of this package. */
export const annexVersion: string = JSON.parse(readFileSync(description, "utf8")).version;
