import { defineError } from "../../lib/errors/errors.ts";

export const BAD_PATH = defineError(
  "BAD_PATH",
  400,
  'Invalid path: it must start with "/" and contain no dot segment, null byte, fragment or invalid percent-encoding.',
);
export const NOT_FOUND = defineError("NOT_FOUND", 404, "No route matches %s %s.");
export const METHOD_NOT_ALLOWED = defineError(
  "METHOD_NOT_ALLOWED",
  405,
  "%s is not allowed for this path. Allowed methods: %s.",
);
export const RATE_LIMITED = defineError("RATE_LIMITED", 429, "Too many requests. Retry in %s s.");
export const BODY_TOO_LARGE = defineError(
  "BODY_TOO_LARGE",
  413,
  "The request body is larger than the limit of %s bytes.",
);
export const BODY_EMPTY = defineError(
  "BODY_EMPTY",
  400,
  "The request has no body, but this route expects one.",
);
export const BODY_MALFORMED = defineError("BODY_MALFORMED", 400, "The request body is not valid %s: %s.");
export const BODY_INVALID = defineError("BODY_INVALID", 400, "The request contains invalid values.");
export const QUERY_INVALID = defineError("QUERY_INVALID", 400, "The query contains invalid values.");
export const PATH_INVALID = defineError("PATH_INVALID", 400, "The path contains invalid values.");
export const BODY_NOT_OBJECT = defineError("BODY_NOT_OBJECT", 400, "The request body must be a JSON object.");
export const BODY_INTERRUPTED = defineError(
  "BODY_INTERRUPTED",
  400,
  "The request ended before its body was complete.",
);
export const BODY_TIMEOUT = defineError("BODY_TIMEOUT", 408, "Request body timeout: no progress for %s ms.");
/** The rest of the body may never arrive, so the connection cannot be used again. */
export const bodyTimeout = (timeoutMs: number) =>
  BODY_TIMEOUT.with({ headers: { Connection: "close" } }, timeoutMs);
export const BODY_ALREADY_READ = defineError(
  "BODY_ALREADY_READ",
  500,
  "The request body has already been read as a stream and cannot be read again.",
);
export const UNSUPPORTED_MEDIA_TYPE = defineError(
  "UNSUPPORTED_MEDIA_TYPE",
  415,
  'The content type "%s" is not supported. Send application/json, application/x-www-form-urlencoded or multipart/form-data in UTF-8.',
);
export const UNEXPECTED_MEDIA_TYPE = defineError(
  "UNEXPECTED_MEDIA_TYPE",
  415,
  'This route does not accept the content type "%s". Send %s.',
);
export const CHECK_MISSING = defineError(
  "CHECK_MISSING",
  500,
  "%s %s has checked(), but nothing checks its requests: API documentation does not know the route.",
);
export const CONTENT_ENCODING_UNSUPPORTED = defineError(
  "CONTENT_ENCODING_UNSUPPORTED",
  415,
  'The content encoding "%s" is not supported. Send the body uncompressed.',
);
export const RESPONSE_ALREADY_SENT = defineError(
  "RESPONSE_ALREADY_SENT",
  500,
  "A response to %s %s has already been sent.",
);
export const RESPONSE_MISSING = defineError(
  "RESPONSE_MISSING",
  500,
  "No response was sent for %s %s. Call e.json(…), e.noContent() or another response method, or e.next() in middleware.",
);
export const NEXT_NOT_AWAITED = defineError(
  "NEXT_NOT_AWAITED",
  500,
  "A middleware function of %s %s called e.next() without awaiting it. Write: await e.next().",
);
export const UNKNOWN_PATH_VALUE = defineError(
  "UNKNOWN_PATH_VALUE",
  500,
  'The route %s has no path value "%s".',
);
export const MALFORMED_REQUEST = defineError("MALFORMED_REQUEST", 400, "Malformed HTTP request.");
export const EXPECTATION_FAILED = defineError(
  "EXPECTATION_FAILED",
  417,
  "The value of the Expect header is not supported.",
);
export const HEADERS_TOO_LARGE = defineError("HEADERS_TOO_LARGE", 431, "The request headers are too large.");
export const REQUEST_TIMEOUT = defineError("REQUEST_TIMEOUT", 408, "Request timeout.");
export const CLIENT_DISCONNECTED = defineError("CLIENT_DISCONNECTED", 499, "The client has disconnected.");
export const SERVER_STOPPING = defineError(
  "SERVER_STOPPING",
  503,
  "The server is shutting down. Retry the request.",
);
export const ACCESS_REVOKED = defineError(
  "ACCESS_REVOKED",
  401,
  "The token or session of this request is no longer valid.",
);
export const EVENT_INVALID = defineError("EVENT_INVALID", 500, "Invalid server-sent event: %s.");
export const UPGRADE_REQUIRED = defineError(
  "UPGRADE_REQUIRED",
  426,
  "This path accepts only WebSocket connections.",
);
export const TOO_MANY_STREAMS = defineError(
  "TOO_MANY_STREAMS",
  429,
  "Too many event streams and WebSockets are open from this address. Close some of them and retry.",
);
export const STREAMS_FULL = defineError(
  "STREAMS_FULL",
  503,
  "Too many event streams and WebSockets are open on this server. Retry later.",
);
export const HANDSHAKE_INVALID = defineError("HANDSHAKE_INVALID", 400, "Invalid WebSocket handshake: %s.");
export const ORIGIN_NOT_ALLOWED = defineError(
  "ORIGIN_NOT_ALLOWED",
  403,
  "Pages of %s cannot open this WebSocket.",
);
export const INTERNAL = defineError("INTERNAL", 500, "Internal server error. See the log for this trace ID.");
