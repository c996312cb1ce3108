/** Who sent a request. An application's own identities may carry anything else that it wants to find on `e.auth`. */
export interface Identity {
  readonly id: string;
  readonly [key: string]: unknown;
}
