import type { Auth } from "../auth/index.ts";
import type { FeatureLogger } from "../feature/index.ts";

/** Bypasses the log: the link is a secret until it is used or expires, and logs are stored and read by others. */
export function printSetupLink(setupUrl: string): void {
  const output = process.stdout.isTTY ? process.stdout : process.stderr;
  output.write(
    `\n  No superuser exists yet. Create the first one with this one-time link:\n  ${setupUrl}\n\n`,
  );
}

/** Says where the dashboard is, when the first server of another application listens. */
export function createAnnouncement(
  auth: Pick<Auth, "createSetupLink">,
  logger: Pick<FeatureLogger, "info" | "error">,
  basePath: string,
): (url: string) => Promise<void> {
  let isAnnounced = false;
  return async (url) => {
    if (isAnnounced) return;
    isAnnounced = true;
    logger.info(`Dashboard at ${url}${basePath}/_/_`);
    try {
      const setupUrl = await auth.createSetupLink(url + basePath);
      if (setupUrl !== undefined) printSetupLink(setupUrl);
    } catch (error) {
      logger.error("Failed to create the link for the first superuser", { error });
    }
  };
}
