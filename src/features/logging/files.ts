import type { FileQuery } from "./query-parameters.ts";
import { type FileFormat, type FilePage, headLines } from "./store/search/file-page.ts";
import { type LogPage, type LogQuery, maxLimit } from "./store/search/query.ts";

export type Search = (query: LogQuery) => Promise<LogPage>;
export type ReadFilePage = (query: LogQuery, format: FileFormat) => Promise<FilePage>;

/**
 * Exports records, newest first. The next page is read only when the client has consumed the previous one. An export of
 * any size uses the memory of two pages, and it stops when the client disconnects.
 */
export async function* toFile(
  read: ReadFilePage,
  format: FileFormat,
  { query, limit }: FileQuery,
): AsyncGenerator<string | Uint8Array> {
  yield headLines[format];
  let left = limit;
  let cursor: string | undefined;
  do {
    const page = await read({ ...query, limit: Math.min(left, maxLimit), cursor }, format);
    // Empty pages are yielded, too: a disconnected client ends the generator here.
    yield page.text;
    left -= page.count;
    cursor = page.cursor;
  } while (cursor !== undefined && left > 0);
}
