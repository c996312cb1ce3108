import type { RequestEvent } from "../../http/index.ts";
import { ApiError } from "../../lib/errors/errors.ts";
import type { ReportAccess } from "../access-report.ts";
import type { Account } from "../accounts/accounts.ts";
import { whenAvailable } from "../available.ts";
import { ADDRESS_NOT_ALLOWED, SETUP_LINK_VOID, WRONG_CREDENTIALS } from "../errors.ts";
import { normalizeEmail } from "../fields.ts";
import type { IsAllowedAddress } from "../guards/allowed-addresses.ts";
import { credentialOf } from "../sessions/superuser-identity.ts";
import { clientOf, setDeviceCookie } from "./client.ts";
import type { KnownClients } from "./known-clients.ts";
import { type CheckPassword, wrongCurrentPassword } from "./password-check.ts";
import { LockOut } from "./throttle.ts";

/** Sign-ins by request. Every result is reported to the access log. */
export interface SignIn {
  /** Returns the account with this email and password. */
  withPassword(e: RequestEvent, credentials: Credentials, by: "form" | "API"): Promise<Account>;
  /** Returns the account that the setup link creates. */
  withLink(e: RequestEvent, email: string, claim: () => Promise<Account>): Promise<Account>;
  /** Checks the password of a signed-in superuser again. The error is for the field `oldPassword`. */
  confirm: ConfirmPassword;
  /** Stores the client of a successful sign-in, so that an attack on the account does not lock it out. */
  remember(e: RequestEvent, account: Signer, by: "form" | "API"): Promise<void>;
  /** Stores the client of a signed-in superuser after the other known clients have been deleted. */
  rememberCaller(e: RequestEvent, account: Signer): Promise<void>;
}

type Signer = Pick<Account, "id" | "generation">;

export type ConfirmPassword = (email: string, oldPassword: string, e: RequestEvent) => Promise<void>;

interface Credentials {
  readonly identity: string;
  readonly password: string;
}

interface Attempted {
  readonly name: string;
  /** The detail of failures that have no other reason. */
  readonly detail: string;
  /** The signed-in superuser, when a password is confirmed. */
  readonly actor?: string | undefined;
}

interface SignInParts {
  checkPassword: CheckPassword;
  knownClients: KnownClients;
  reportAccess: ReportAccess;
  isAllowedAddress: IsAllowedAddress;
}

export function createSignIn(parts: SignInParts): SignIn {
  const { checkPassword, knownClients, reportAccess, isAllowedAddress } = parts;

  /** Runs an attempt and reports the reason if it is rejected. */
  async function attempt<T>(e: RequestEvent, attempted: Attempted, work: () => Promise<T>): Promise<T> {
    const { name, detail, ...who } = attempted;
    try {
      if (!isAllowedAddress(e.ip)) throw ADDRESS_NOT_ALLOWED();
      return await work();
    } catch (error) {
      const refusal = refusalOf(error, detail);
      if (refusal) reportAccess(e, { ...refusal, ...who, account: attemptedName(name) });
      throw error;
    }
  }

  async function remember(e: RequestEvent, account: Signer, by: "form" | "API"): Promise<void> {
    const client = clientOf(e);
    await whenAvailable(knownClients.rememberNetwork(account, client));
    // A client without a cookie jar would get a new cookie each time and displace the browsers.
    if (by === "form") setDeviceCookie(e, await whenAvailable(knownClients.rememberDevice(account, client)));
  }

  return {
    remember,
    rememberCaller: (e, account) =>
      remember(e, account, credentialOf(e.auth)?.kind === "session" ? "form" : "API"),

    async withPassword(e, { identity, password }, by) {
      const check = () => checkPassword(identity, password, clientOf(e));
      const { email, ...account } = await attempt(e, { name: identity, detail: `by ${by}` }, check);
      reportAccess(e, { kind: "sign-in", account: email, actor: email, detail: `by ${by}` });
      return { email, ...account };
    },

    async withLink(e, name, claim) {
      const attempted = { name, detail: "by setup link" };
      const account = await attempt(e, attempted, () => whenAvailable(claim()));
      reportAccess(e, { kind: "setup-link-used", account: account.email, actor: account.email });
      return account;
    },

    async confirm(email, oldPassword, e) {
      try {
        const actor = credentialOf(e.auth)?.superuser.email;
        const attempted = { name: email, detail: "wrong current password", actor };
        await attempt(e, attempted, () => checkPassword(email, oldPassword, clientOf(e)));
      } catch (error) {
        throw wrongCurrentPassword(error);
      }
    },
  };
}

/** Converts a rejection to an access event. `undefined` if the credentials are not the reason. */
function refusalOf(error: unknown, detail: string) {
  if (!(error instanceof ApiError)) return undefined;
  if (error.cause instanceof LockOut) return { kind: "lock-out", detail: error.cause.message } as const;
  const details: Record<string, string> = {
    [WRONG_CREDENTIALS.code]: detail,
    [SETUP_LINK_VOID.code]: "invalid setup link",
    [ADDRESS_NOT_ALLOWED.code]: "address not allowed",
  };
  const reason = details[error.code ?? ""];
  return reason === undefined ? undefined : ({ kind: "sign-in-failed", detail: reason } as const);
}

/** The attempted name, sanitized for storage and display. */
function attemptedName(text: string): string {
  return normalizeEmail(text).replace(/\p{C}/gu, "").slice(0, 254);
}
