import { type Clock, systemClock } from "../lib/clock.ts";
import { DOCS_IN_USE } from "./errors.ts";
import type { Analyzer } from "./openapi/facts.ts";
import type { OpenAPIDocument } from "./openapi/types.ts";
import { readSpec, writeSpecs } from "./specs/spec-files.ts";
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

  /** Lets the source of the handlers be read; the documents tell what it found from then on. Development only. */
  async learn(analyzer: Analyzer): Promise<void> {
    this.press.analysis = await analyzer.analyze(this.list().map(({ registry }) => registry));
  }

  /** Takes documents that were made before, from a folder. What is wrong there is told, and the routes serve instead. */
  readSpecs(folder: string, warn: (message: string) => void): void {
    const stored = new Map<string, { document: OpenAPIDocument; madeAt: Date }>();
    for (const { label } of this.list()) {
      const spec = readSpec(folder, label);
      if (spec && "document" in spec) stored.set(label, spec);
      else {
        const reason = spec ? `${spec.file}: ${spec.problem}` : `there is no ${label}.json in ${folder}`;
        warn(`The document of version ${label} is made of the running routes: ${reason}`);
      }
    }
    this.press.stored = stored;
  }

  /** Writes the document of every version. */
  writeSpecs(folder: string): string[] {
    if (this.list().every(({ registry }) => registry.size === 0))
      this.versions?.registerAllVersionRoutesForDocs();
    const documents = new Map(
      this.list().map((version) => [version.label, this.press.createForFile(version)]),
    );
    return writeSpecs(folder, documents);
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
