/** Loaded before an application by the commands that want something of it; the errand is in the address. */
import { type Errand, setErrand } from "../app/errand.ts";

setErrand(JSON.parse(new URL(import.meta.url).searchParams.get("errand")!) as Errand);
