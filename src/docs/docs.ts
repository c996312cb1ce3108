import { type Clock, systemClock } from "../lib/clock.ts";
import { DOCS_IN_USE } from "./errors.ts";
import { DocumentPress } from "./versions/published.ts";
import type { DocsHost } from "./versions/server.ts";
import type { Version, VersionSource } from "./versions/version.ts";

export interface DocsOptions {
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The documentation of one application: the versions it shows, and how. */
export class Docs implements DocsHost {
  readonly press: DocumentPress;
  readonly clock: Clock;
  private versions: VersionSource | undefined;

  constructor({ clock = systemClock }: DocsOptions = {}) {
    this.clock = clock;
    this.press = new DocumentPress(clock);
  }

  /** Shows these versions. An application has one set of them. */
  use(versions: VersionSource): void {
    if (this.versions !== undefined && this.versions !== versions) throw DOCS_IN_USE();
    this.versions = versions;
  }

  get defaultVersion(): string | undefined {
    return this.versions?.getDefaultVersion();
  }

  find(label: string): Version | undefined {
    return this.versions?.find(label);
  }

  /** All versions, sorted by label. */
  list(): Version[] {
    return (this.versions?.getAllVersions() ?? []).map((label) => this.versions!.find(label)!);
  }
}
