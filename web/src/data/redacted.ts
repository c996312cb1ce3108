/** Replaces a secret in everything that the server sends. */
export const redacted = "[redacted]";
