import { defineError } from "../lib/errors.ts";

export const INVALID_VERSION = defineError(
  "INVALID_VERSION",
  400,
  'The version label "%s" is not valid: it has 1 to 64 letters, digits, dots, dashes and underscores, begins with a letter or digit, and is not "versions" or "debug".',
);
export const INVALID_DOCS_CONFIG = defineError(
  "INVALID_DOCS_CONFIG",
  400,
  'The configuration of version "%s" is not valid: %s.',
);
export const VERSION_EXISTS = defineError("VERSION_EXISTS", 409, 'The version "%s" is registered already.');
export const VERSION_UNKNOWN = defineError("VERSION_UNKNOWN", 404, 'There is no version "%s".');
export const VERSION_IS_DEFAULT = defineError(
  "VERSION_IS_DEFAULT",
  409,
  'The version "%s" is the default and cannot be removed; make another one the default first.',
);
export const NO_ROUTE_REGISTRAR = defineError(
  "NO_ROUTE_REGISTRAR",
  409,
  "No API version has a route registrar: %s. Call setVersionRouteRegistrar(version, register) before the routes are registered.",
);
export const ROUTES_LOOK_ALIKE = defineError(
  "ROUTES_LOOK_ALIKE",
  409,
  "%s and %s differ only in how their path values are written, and would be one path in the document; write them alike.",
);
export const DOCS_IN_USE = defineError(
  "DOCS_IN_USE",
  409,
  "The application has a version manager already; register all versions with that one.",
);
export const DOCUMENT_NOT_FOUND = defineError(
  "DOCUMENT_NOT_FOUND",
  404,
  'There is no documentation of a version "%s" here.',
);
export const ASSET_NOT_FOUND = defineError("ASSET_NOT_FOUND", 404, 'There is no file "%s" here.');
