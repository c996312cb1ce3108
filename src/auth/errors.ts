import { defineError } from "../lib/errors.ts";

export const AUTH_REQUIRED = defineError(
  "AUTH_REQUIRED",
  401,
  "This needs a valid identity: sign in and send the token in the Authorization header.",
);
export const SUPERUSER_REQUIRED = defineError("SUPERUSER_REQUIRED", 403, "Only a superuser may do this.");
export const CROSS_SITE_REQUEST = defineError(
  "CROSS_SITE_REQUEST",
  403,
  "This request came from another site, so the browser's session does not count for it.",
);
export const AUTH_UNAVAILABLE = defineError(
  "AUTH_UNAVAILABLE",
  503,
  "The identity behind this request cannot be checked right now. Try again in a moment.",
);
export const WRONG_CREDENTIALS = defineError(
  "WRONG_CREDENTIALS",
  400,
  "The email or the password is not right.",
);
export const TOO_MANY_ATTEMPTS = defineError(
  "TOO_MANY_ATTEMPTS",
  429,
  "Too many failed sign-ins. Try again in %s.",
);
export const PASSWORDS_BUSY = defineError(
  "PASSWORDS_BUSY",
  503,
  "Too many people are signing in at this moment. Try again in a second.",
);
export const SUPERUSER_EXISTS = defineError("SUPERUSER_EXISTS", 400, 'There is a superuser "%s" already.');
export const SUPERUSER_UNKNOWN = defineError("SUPERUSER_UNKNOWN", 404, 'There is no superuser "%s".');
export const LAST_SUPERUSER = defineError(
  "LAST_SUPERUSER",
  400,
  "The last superuser cannot be removed: nobody could sign in any more. Add another one first.",
);
export const SETUP_LINK_VOID = defineError(
  "SETUP_LINK_VOID",
  400,
  "This set-up link is no longer valid: it has been used, or its time is over.",
);
