/** Documentation of a response that middleware sends itself. */
export interface ResponseNotes {
  /** When it is sent. */
  readonly description: string;
  /** Headers that only this response has, with descriptions. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Documentation that middleware adds to its routes. */
export interface RouteNotes {
  /** Required authentication: any identity, or a superuser. */
  readonly auth?: "any" | "superuser" | undefined;
  /** Name of the security scheme. Optional if the version has only one. */
  readonly scheme?: string | undefined;
  /** Responses that the middleware sends itself, by status: `{ 402: "The trial is over" }`. */
  readonly responses?: Readonly<Record<number, string | ResponseNotes>> | undefined;
  /** Request headers that it reads, with descriptions. */
  readonly requestHeaders?: Readonly<Record<string, string>> | undefined;
  /** Response headers that it adds, with descriptions. */
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
  /** Response headers that it adds to successful responses with a body, with descriptions. */
  readonly bodyHeaders?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether requests are checked against the types of the handler. Set by `checked()`.
   * @internal
   */
  readonly checked?: boolean | undefined;
}
