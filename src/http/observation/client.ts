/** The address and user agent of a client. Requests of the same agent on one connection share the object. */
export class Client {
  readonly ip: string;
  readonly userAgent: string;
  /** Cache for the encoded form in log records, so that it is not computed on every request. */
  encoded: Buffer | undefined = undefined;

  constructor(ip: string, userAgent: string) {
    this.ip = ip;
    this.userAgent = userAgent;
  }
}
