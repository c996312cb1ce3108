import { defineError } from "../lib/errors/errors.ts";

export const AUTH_REQUIRED = defineError(
  "AUTH_REQUIRED",
  401,
  "Authentication required. Send a valid token in the Authorization header.",
);
export const SUPERUSER_REQUIRED = defineError("SUPERUSER_REQUIRED", 403, "Superuser access required.");
export const CROSS_SITE_REQUEST = defineError(
  "CROSS_SITE_REQUEST",
  403,
  "Cross-site requests cannot sign in or use the browser session.",
);
export const ADDRESS_NOT_ALLOWED = defineError(
  "ADDRESS_NOT_ALLOWED",
  403,
  "Superusers cannot sign in from this address.",
);
export const AUTH_UNAVAILABLE = defineError(
  "AUTH_UNAVAILABLE",
  503,
  "Authentication is temporarily unavailable. Retry shortly.",
);
export const WRONG_CREDENTIALS = defineError("WRONG_CREDENTIALS", 400, "Invalid email or password.");
export const TOO_MANY_ATTEMPTS = defineError(
  "TOO_MANY_ATTEMPTS",
  429,
  "Too many failed sign-ins. Try again in %s.",
);
export const PASSWORDS_BUSY = defineError(
  "PASSWORDS_BUSY",
  503,
  "Too many concurrent sign-ins. Retry in one second.",
);
export const SUPERUSER_EXISTS = defineError("SUPERUSER_EXISTS", 400, 'Superuser "%s" already exists.');
export const SUPERUSER_UNKNOWN = defineError("SUPERUSER_UNKNOWN", 404, 'Superuser "%s" does not exist.');
export const LAST_SUPERUSER = defineError(
  "LAST_SUPERUSER",
  400,
  "The last superuser cannot be removed. Add another one first.",
);
export const SETUP_LINK_VOID = defineError(
  "SETUP_LINK_VOID",
  400,
  "This setup link is invalid or has expired.",
);
export const REAUTHENTICATION_REQUIRED = defineError(
  "REAUTHENTICATION_REQUIRED",
  403,
  "Your last sign-in was more than ten minutes ago. Send your current password as currentPassword, or sign in again.",
);
export const SESSION_UNKNOWN = defineError("SESSION_UNKNOWN", 404, 'You have no session or token "%s".');
