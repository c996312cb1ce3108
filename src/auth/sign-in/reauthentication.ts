import type { RequestEvent } from "../../http/index.ts";
import { ApiError, type FieldProblem } from "../../lib/errors/errors.ts";
import { INVALID_FIELDS, refuseInvalid } from "../../lib/fields.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { minuteMs } from "../../lib/time/units.ts";
import { REAUTHENTICATION_REQUIRED } from "../errors.ts";
import type { Credential } from "../sessions/tokens.ts";
import type { ConfirmPassword } from "./sign-in.ts";

/** How long after a sign-in superusers can be changed without the password. */
const freshMs = 10 * minuteMs;

/** Protects changes to superusers from unlocked screens, stolen tokens and malicious scripts. */
export interface Reauthentication {
  /** Whether the last sign-in is recent enough to skip the password. */
  isFresh(credential: Credential): boolean;
  /** Throws unless the caller signed in recently or sends their own password. */
  require(e: RequestEvent, credential: Credential, currentPassword: string): Promise<void>;
  /** Throws unless this is the caller's own password, even after a recent sign-in. */
  requireOldPassword(e: RequestEvent, credential: Credential, oldPassword: string): Promise<void>;
}

const required: FieldProblem = { code: "required", message: "Enter your current password." };

export function createReauthentication(clock: Clock, confirmPassword: ConfirmPassword): Reauthentication {
  const reauthentication: Reauthentication = {
    isFresh: ({ signedIn }) => clock.now() - signedIn < freshMs,

    async require(e, credential, currentPassword) {
      if (currentPassword === "") {
        if (reauthentication.isFresh(credential)) return;
        throw REAUTHENTICATION_REQUIRED();
      }
      await confirmPassword(credential.superuser.email, currentPassword, e).catch(rename);
    },

    async requireOldPassword(e, credential, oldPassword) {
      refuseInvalid({ oldPassword: oldPassword === "" ? required : undefined });
      await confirmPassword(credential.superuser.email, oldPassword, e);
    },
  };
  return reauthentication;
}

/** Reports a wrong password for the field that contained it. */
function rename(error: unknown): never {
  if (error instanceof ApiError && error.code === INVALID_FIELDS.code) {
    const { oldPassword, ...others } = error.data as Record<string, FieldProblem>;
    refuseInvalid({ currentPassword: oldPassword, ...others });
  }
  throw error;
}

/** Reports a missing password as a field error, instead of rejecting the whole request. */
export function demandInForm(
  reauthentication: Reauthentication,
  e: RequestEvent,
  credential: Credential,
  password: string,
) {
  const isMissing = password === "" && !reauthentication.isFresh(credential);
  refuseInvalid({ currentPassword: isMissing ? required : undefined });
  return reauthentication.require(e, credential, password);
}
