import type { FeatureLogger } from "../../../feature/index.ts";
import type { Docs } from "../docs.ts";
import { chooseVersion } from "./choose-version.ts";
import { compareClientFile, foreignFile, writeClientFile } from "./client-file.ts";
import { createClientSource } from "./client-source.ts";
import { hasTypes, missingTypes } from "./complete-document.ts";

/** A client that is kept current while the application runs. */
export interface ClientTarget {
  readonly file: string;
  /** The label of a version. Not needed if there is only one. */
  readonly version?: string | undefined;
}

interface Options {
  readonly docs: Docs;
  readonly logger: FeatureLogger;
  /** Whether the application is stopping. */
  isClosed(): boolean;
}

/** Writes clients when the source has been read, and again whenever it changes. */
export async function keepClients(targets: readonly ClientTarget[], options: Options): Promise<void> {
  const { docs, logger, isClosed } = options;
  let isWriting = false;
  let isStale = false;
  const update = async () => {
    isStale = true;
    if (isWriting) return;
    isWriting = true;
    while (isStale && !isClosed()) {
      isStale = false;
      for (const target of targets) {
        const failure = `Failed to update the API client ${target.file}`;
        try {
          const problem = await writeClient(target, options);
          if (problem !== undefined) logger.error(`${failure}: ${problem}`);
        } catch (error) {
          if (!isClosed()) logger.error(failure, { error });
        }
      }
    }
    isWriting = false;
  };
  await docs.analyze();
  docs.onAnalyzed(update);
  await update();
}

/** Returns the reason if the file cannot be written and the developer can change that. */
async function writeClient(
  { file, version }: ClientTarget,
  { docs, logger }: Options,
): Promise<string | undefined> {
  const labels = docs.list().map(({ label }) => label);
  const choice = chooseVersion(labels, version);
  if ("problem" in choice) return choice.problem;
  const document = await docs.createFileDocument(docs.find(choice.version)!);
  if (!hasTypes(document)) return missingTypes;
  const source = createClientSource(document);
  const state = compareClientFile(file, source);
  if (state === "foreign") return foreignFile;
  if (state === "current") return undefined;
  writeClientFile(file, source);
  logger.info(`Updated the API client ${file}`);
  return undefined;
}
