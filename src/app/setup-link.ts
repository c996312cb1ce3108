import type { Auth } from "../auth/index.ts";
import type { FeatureLogger } from "../feature/index.ts";

type Logger = Pick<FeatureLogger, "info" | "error">;

/**
 * Prints a link for creating the first superuser, if there is none. If the database is away for a moment, the application
 * runs without the link.
 */
export async function offerSetupLink(
  auth: Pick<Auth, "createSetupLink">,
  logger: Logger,
  baseUrl: string,
): Promise<string | undefined> {
  try {
    const setupUrl = await auth.createSetupLink(baseUrl);
    if (setupUrl !== undefined) printSetupLink(setupUrl);
    return setupUrl;
  } catch (error) {
    logger.error("Failed to create the link for the first superuser", { error });
    return undefined;
  }
}

/** Bypasses the log: the link is a secret until it is used or expires, and logs are stored and read by others. */
function printSetupLink(setupUrl: string): void {
  const output = process.stdout.isTTY ? process.stdout : process.stderr;
  output.write(
    `\n  No superuser exists yet. Create the first one with this one-time link:\n  ${setupUrl}\n\n`,
  );
}

/** Says where the dashboard is, when the first server of another application listens. */
export function createAnnouncement(
  auth: Pick<Auth, "createSetupLink">,
  logger: Logger,
  basePath: string,
): (url: string) => Promise<void> {
  let isAnnounced = false;
  return async (url) => {
    if (isAnnounced) return;
    isAnnounced = true;
    logger.info(`Dashboard at ${url}${basePath}/_/_`);
    await offerSetupLink(auth, logger, url + basePath);
  };
}
