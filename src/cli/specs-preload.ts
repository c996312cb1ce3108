/** Loaded before an application by `annex specs generate`; the folder is in the address. */
import { writeSpecsInstead } from "../app/specs-mode.ts";

writeSpecsInstead(new URL(import.meta.url).searchParams.get("folder")!);
