/** Everything on: each request's record is written to a file and kept in the store. */
import { serveAnnex } from "../annex.ts";

await serveAnnex("debug");
