/** Placeholder for a redacted value in server responses. */
export const redacted = "[redacted]";
