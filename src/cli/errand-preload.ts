/** Loaded before an application by the commands that want something of it; the errand is in the environment. */
import { type Errand, errandVariable, setErrand } from "../app/errand.ts";

const errand = process.env[errandVariable];
if (errand !== undefined) setErrand(JSON.parse(errand) as Errand);
// Programs that the application starts have no part in it.
delete process.env[errandVariable];
