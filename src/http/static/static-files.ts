import { createNegotiation, type Encoding } from "../compression/accept-encoding.ts";
import { compressibleTypes, isOfType } from "../compression/compressible-types.ts";
import { asksForPage } from "../errors/page.ts";
import type { RequestEvent } from "../event.ts";
import type { Handler } from "../handler.ts";
import { markFileHandler } from "../route/file-handlers.ts";
import type { SentResponse } from "../sent-response.ts";
import { addVary } from "../vary.ts";
import { FILE_NOT_FOUND } from "./errors.ts";
import { Folder, type OpenFile } from "./folder.ts";
import { mediaTypeOf } from "./media-types.ts";
import { readStaticOptions, type StaticFilesOptions, type StaticFilesSettings } from "./options.ts";
import { isHiddenName, isSafeName } from "./requested-name.ts";
import { sendFile } from "./send-file.ts";

/**
 * Handler that sends the files of a folder.
 *
 * ```ts
 * router.get("/{path...}", staticFiles("public"));
 * ```
 */
export function staticFiles(folder: string | URL, options: StaticFilesOptions = {}): Handler<never> {
  const site = new StaticSite(folder, readStaticOptions(options));
  return markFileHandler((e: RequestEvent<never>) => site.serve(e));
}

/** A file that was found for a request. */
interface Found {
  /** The path of the file below the folder, without the extension of an encoding. */
  readonly name: string;
  readonly type: string;
  readonly file: OpenFile;
  readonly encoding?: Encoding;
}

/** The best compression first: the files were compressed once, so its cost does not matter. */
const rankEncodings = createNegotiation(["br", "zstd", "gzip"]);
const extensions: Readonly<Record<Encoding, string>> = { br: ".br", zstd: ".zst", gzip: ".gz" };

class StaticSite {
  private readonly folder: Folder;
  private readonly settings: StaticFilesSettings;
  private readonly isHidden: (name: string) => boolean;

  constructor(folder: string | URL, settings: StaticFilesSettings) {
    this.isHidden = settings.dotfiles ? () => false : isHiddenName;
    this.folder = new Folder(folder, this.isHidden);
    this.settings = settings;
  }

  async serve(e: RequestEvent<never>): Promise<SentResponse> {
    const { fallback } = this.settings;
    const path = requestedPath(e);
    const found = isSafeName(path) && !this.isHidden(path) ? await this.find(e, path) : undefined;
    if (found === "folder") return redirectToFolder(e);
    if (found !== undefined) return sendFile(e, { ...found, cacheControl: this.cacheControlOf(found.name) });
    if (fallback === undefined || !asksForPage(e.header("accept"))) throw FILE_NOT_FOUND(e.path);
    addVary(e.response, "Accept");
    const page = await this.open(e, fallback);
    if (page === undefined || page === "folder") throw FILE_NOT_FOUND(e.path);
    return sendFile(e, { ...page, cacheControl: "no-cache" });
  }

  private async find(e: RequestEvent<never>, path: string): Promise<Found | "folder" | undefined> {
    const { index } = this.settings;
    if (path !== "" && !path.endsWith("/")) {
      const found = await this.open(e, path);
      return found === "folder" && index === false ? undefined : found;
    }
    const found = index === false ? undefined : await this.open(e, path + index);
    return found === "folder" ? undefined : found;
  }

  private async open(e: RequestEvent<never>, name: string): Promise<Found | "folder" | undefined> {
    const { precompressed, types } = this.settings;
    const type = mediaTypeOf(name, types);
    if (precompressed && isOfType(type, compressibleTypes)) {
      addVary(e.response, "Accept-Encoding");
      for (const encoding of rankEncodings(e.header("accept-encoding"))) {
        if (encoding === "identity") break;
        const file = await this.folder.open(name + extensions[encoding], `-${encoding}`);
        if (file !== undefined && file !== "folder") return { name, type, file, encoding };
      }
    }
    const file = await this.folder.open(name);
    return file === undefined || file === "folder" ? file : { name, type, file };
  }

  private cacheControlOf(name: string): string {
    const { immutable, maxAge } = this.settings;
    // Unlike `test`, it does not depend on earlier calls if the expression is global.
    if (immutable && name.search(immutable) !== -1) return "max-age=31536000, immutable";
    return maxAge === 0 ? "no-cache" : `max-age=${maxAge}`;
  }
}

function requestedPath(e: RequestEvent<never>): string {
  const { rest, text } = e.route.pattern;
  if (rest === undefined) throw new TypeError(`staticFiles needs {path...} at the end of the route ${text}.`);
  return (e as RequestEvent).pathValue(rest);
}

/** A relative location, so that it also works behind a proxy that removes a prefix from the path. */
function redirectToFolder(e: RequestEvent<never>): SentResponse {
  const { path } = e;
  return e.redirect(301, `./${path.slice(path.lastIndexOf("/") + 1)}/${e.url.search}`);
}
