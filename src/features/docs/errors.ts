import { defineError } from "../../lib/errors/errors.ts";

export const INVALID_VERSION = defineError("INVALID_VERSION", 400, "Invalid version label: %s.");
export const INVALID_DOCS_CONFIG = defineError(
  "INVALID_DOCS_CONFIG",
  400,
  'Invalid configuration of version "%s": %s.',
);
export const VERSION_EXISTS = defineError("VERSION_EXISTS", 409, 'Version "%s" is already registered.');
export const VERSION_UNKNOWN = defineError("VERSION_UNKNOWN", 404, 'Version "%s" does not exist.');
export const VERSION_IS_DEFAULT = defineError(
  "VERSION_IS_DEFAULT",
  409,
  'Version "%s" is the default and cannot be removed. Make another version the default first.',
);
export const NO_ROUTE_REGISTRAR = defineError(
  "NO_ROUTE_REGISTRAR",
  409,
  "No API version has a route registrar: %s. Call setVersionRouteRegistrar(version, register) before the routes are registered.",
);
export const VERSION_ROUTES_REGISTERED = defineError(
  "VERSION_ROUTES_REGISTERED",
  409,
  "The routes of the API versions are already registered with this server. createApp({ versions }) registers them: remove the call of registerAllVersionRoutes, or the option versions.",
);
export const ROUTES_LOOK_ALIKE = defineError(
  "ROUTES_LOOK_ALIKE",
  409,
  "%s and %s differ only in how their path values are written, so they would be one path in the document. Write them the same way.",
);
export const DOCS_IN_USE = defineError(
  "DOCS_IN_USE",
  409,
  "The application already has a version manager. Register all versions with it.",
);
export const DOCUMENT_NOT_FOUND = defineError(
  "DOCUMENT_NOT_FOUND",
  404,
  'No documentation for version "%s".',
);
export const CHECK_PENDING = defineError(
  "CHECK_PENDING",
  503,
  "The source has not been analyzed yet, so this request cannot be checked. Retry shortly.",
);
export const CHECK_IMPOSSIBLE = defineError(
  "CHECK_IMPOSSIBLE",
  500,
  "%s has checked(), but its requests cannot be checked: %s",
);
export const ASSET_NOT_FOUND = defineError("ASSET_NOT_FOUND", 404, 'File "%s" not found.');
export const DOCS_PAGE_NOT_BUILT = defineError(
  "DOCS_PAGE_NOT_BUILT",
  503,
  "The documentation page has not been built. In a checkout of Annex, run: npm run build:web",
);
