/** The authenticated sender of a request (`e.auth`). Applications can add their own fields. */
export interface Identity {
  /** Unique ID. */
  readonly id: string;
  readonly [key: string]: unknown;
}
