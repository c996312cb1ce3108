export const PARTNER_KEY = "canary-imported";
export const config = { hook: { webhookSecret: "canary-nested" }, size: "20" } as const;
export const { clientSecret: renamed } = { clientSecret: "canary-destructured" };
export default "canary-default-export";
export class Vault {
  static readonly masterKey = "canary-static";
  readonly passphrase = "canary-field";
}
