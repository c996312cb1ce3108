import { defineError } from "../../lib/errors/errors.ts";

export const DASHBOARD_FILE_NOT_FOUND = defineError(
  "DASHBOARD_FILE_NOT_FOUND",
  404,
  'The dashboard has no file "%s".',
);
export const DASHBOARD_PAGE_NOT_FOUND = defineError(
  "DASHBOARD_PAGE_NOT_FOUND",
  404,
  'The dashboard has no page "%s".',
);
export const DASHBOARD_NOT_BUILT = defineError(
  "DASHBOARD_NOT_BUILT",
  503,
  "The dashboard has not been built. In a checkout of Annex, run: npm run build:web",
);
export const VIEW_UNKNOWN = defineError("VIEW_UNKNOWN", 404, 'You have no saved view "%s".');
export const VIEW_EXISTS = defineError("VIEW_EXISTS", 409, 'You already have a saved view named "%s".');
export const TOO_MANY_VIEWS = defineError(
  "TOO_MANY_VIEWS",
  409,
  "You have %s saved views, which is the limit. Delete one first.",
);
