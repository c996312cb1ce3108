import type { Clock } from "../lib/clock.ts";
import type { ReportAccess } from "./access-report.ts";
import type { Accounts } from "./accounts.ts";
import type { IsAllowedAddress } from "./allowed-addresses.ts";
import type { Proof } from "./proof.ts";
import type { Sessions } from "./sessions.ts";
import type { SetupLinks } from "./setup-links.ts";
import type { ConfirmPassword, SignIn } from "./sign-in.ts";
import type { Tokens } from "./tokens.ts";

/** The services that the API and the pages share. */
export interface AuthServices {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly proof: Proof;
  readonly signIn: SignIn;
  readonly confirmPassword: ConfirmPassword;
  readonly setupLinks: SetupLinks;
  /** Reports an event for the access log. */
  readonly reportAccess: ReportAccess;
  readonly isAllowedAddress: IsAllowedAddress;
  /** The page after a sign-in without a `next` path. */
  readonly landing: string;
  readonly clock: Clock;
}
