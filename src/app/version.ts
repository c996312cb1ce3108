import { readFileSync } from "node:fs";

/** `package.json` is above both the source folder and the build folder. */
const description = new URL("../../package.json", import.meta.url);

/** The version of this package. */
export const annexVersion: string = JSON.parse(readFileSync(description, "utf8")).version;
