import { digestOfFile } from "../../../lib/source/digest.ts";
import { FolderWatchers } from "../../../lib/source/folder-watchers.ts";

export interface SourceWatchOptions {
  /** The files to look at, with digests of their contents as they were read. */
  readonly files: () => ReadonlyMap<string, string>;
  /** Called some time after something was saved beside a file. It may be none of the files. */
  readonly onSaved: () => void;
}

export interface SourceChanges {
  readonly files: readonly string[];
  /** Whether the compiler's configuration or the installed packages have changed. */
  readonly isOtherEnvironment: boolean;
}

/** An editor may write a file in several steps. */
const settleMs = 80;

/** Watches the files that the last result was made of, and compares them with their contents at that time. */
export class SourceWatch {
  /** The compiler's configuration, as it was when it was last asked. */
  environment: ReadonlyMap<string, string> = new Map();
  private readonly options: SourceWatchOptions;
  private readonly watchers: FolderWatchers;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: SourceWatchOptions) {
    this.options = options;
    this.watchers = new FolderWatchers(() => {
      clearTimeout(this.timer);
      this.timer = setTimeout(options.onSaved, settleMs);
    });
  }

  /** Watches the folders of the files. True when there are folders that were not watched before. */
  follow(): boolean {
    return this.watchers.watch([...this.options.files().keys(), ...this.environment.keys()]);
  }

  changes(): SourceChanges {
    return {
      files: changedOf(this.options.files()),
      isOtherEnvironment: changedOf(this.environment).length > 0,
    };
  }

  close(): void {
    this.watchers.close();
  }
}

function changedOf(files: ReadonlyMap<string, string>): string[] {
  return [...files].filter(([path, digest]) => digestOfFile(path) !== digest).map(([path]) => path);
}
