/** What middleware says of the routes that have it, for their documentation. */
export interface RouteNotes {
  /** Who may call: any identity, or a superuser. */
  readonly auth?: "any" | "superuser" | undefined;
  /** The name of the security scheme by which they prove who they are. Default: the version's only one. */
  readonly scheme?: string | undefined;
  /** Answers it may give itself, by status, and what each means: `{ 429: "Too many requests" }`. */
  readonly responses?: Readonly<Record<number, string>> | undefined;
  /** Headers that it reads, and what for. */
  readonly requestHeaders?: Readonly<Record<string, string>> | undefined;
  /** Headers that it adds to answers, and what they say. */
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
}
