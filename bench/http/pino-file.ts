import { join } from "node:path";
import pino from "pino";
import { scratchFolder } from "./subject.ts";

/** Where the others log to: a file, written in the background, as pino recommends for speed. */
export function pinoFile() {
  return pino.destination({ dest: join(scratchFolder(), "requests.log"), sync: false, minLength: 4096 });
}
