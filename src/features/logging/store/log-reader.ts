import type { BlockReader } from "./blocks.ts";
import { type FileFormat, type FilePage, toFilePage } from "./search/file-page.ts";
import { createHourSums } from "./search/hour-sums.ts";
import type { LogPage, LogQuery } from "./search/query.ts";
import { searchLogs } from "./search/search.ts";
import { countLogs, type LogVolume, type VolumeQuery } from "./search/volume.ts";

/** Reads stored records, in the main thread or in one of its own. */
export interface LogReader {
  search(query: LogQuery): Promise<LogPage>;
  /** A page of a search as text. */
  file(query: LogQuery, format: FileFormat): Promise<FilePage>;
  volume(query: VolumeQuery): Promise<LogVolume>;
}

export function createLogReader(blocks: BlockReader): LogReader {
  const sums = createHourSums(blocks);
  return {
    search: (query) => searchLogs(blocks, query),
    file: async (query, format) => toFilePage(await searchLogs(blocks, query), format),
    volume: (query) => countLogs(blocks, query, sums),
  };
}
