import type { Clock } from "../lib/time/clock.ts";
import type { ReportAccess } from "./access-report.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { SetupLinks } from "./accounts/setup-links.ts";
import type { IsAllowedAddress } from "./guards/allowed-addresses.ts";
import type { Sessions } from "./sessions/sessions.ts";
import type { Tokens } from "./sessions/tokens.ts";
import type { Reauthentication } from "./sign-in/reauthentication.ts";
import type { ConfirmPassword, SignIn } from "./sign-in/sign-in.ts";

/** The services that the API and the pages share. */
export interface AuthServices {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly reauthentication: Reauthentication;
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
