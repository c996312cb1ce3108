import type { Identify, RootRouter } from "../http/index.ts";
import type { AlarmClock } from "../lib/time/clock.ts";
import { dayMs, minuteMs } from "../lib/time/units.ts";
import type { OnAccess } from "./access-event.ts";
import { createAccessReport } from "./access-report.ts";
import type { OnAccountChange } from "./accounts/account-change.ts";
import { toAccessEvent } from "./accounts/account-events.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { createSetupLinks } from "./accounts/setup-links.ts";
import { createSuperusers, type Superusers } from "./accounts/superusers.ts";
import type { IsAllowedAddress } from "./guards/allowed-addresses.ts";
import { type Authenticate, createIdentify } from "./guards/identify.ts";
import { home } from "./pages/next-path.ts";
import { mountPages } from "./pages/routes.ts";
import { argon2id, createPasswords, type PasswordHasher } from "./passwords/passwords.ts";
import { createWeakPasswordCheck, type OnWeakPassword } from "./passwords/weak-passwords.ts";
import { mountApi } from "./routes.ts";
import { createAccessWatch } from "./sessions/access-watch.ts";
import { createSessions } from "./sessions/sessions.ts";
import { createTokenUses } from "./sessions/token-use.ts";
import { createTokens } from "./sessions/tokens.ts";
import { createValidTokens } from "./sessions/valid-tokens.ts";
import { createKnownClients } from "./sign-in/known-clients.ts";
import { createPasswordCheck } from "./sign-in/password-check.ts";
import { createReauthentication } from "./sign-in/reauthentication.ts";
import { createSignIn } from "./sign-in/sign-in.ts";
import { createThrottle } from "./sign-in/throttle.ts";
import type { OpenDatabase } from "./tables.ts";

export interface AuthOptions {
  /** Returns the open database, migrated with `authMigrations`. Called for every use. */
  database: OpenDatabase;
  clock: AlarmClock;
  /** How long an API token is valid. Default 7 days. */
  tokenTtlMs?: number;
  /** How long a browser stays signed in. Default 7 days. */
  sessionTtlMs?: number;
  /** How long a browser session may be unused before it ends. Default: no limit. */
  idleMs?: number | undefined;
  /** How long the setup link is valid. Default 30 minutes. */
  setupLinkTtlMs?: number;
  /** The page after a sign-in without a `next` path. Default `/_/`. */
  landing?: string;
  /** Hashes and verifies passwords. Default argon2id. */
  hasher?: PasswordHasher;
  /** Called when a superuser is added or removed or the password changes. */
  onChange?: OnAccountChange;
  /** Receives every access event. */
  onAccess?: OnAccess;
  /** Whether superusers can sign in and use their sessions and tokens from this address. Default: all addresses. */
  isAllowedAddress?: IsAllowedAddress | undefined;
  /** For development: receives a warning when a weak password is accepted. Default: weak passwords are rejected. */
  onWeakPassword?: OnWeakPassword | undefined;
}

export const authDefaults = {
  tokenTtlMs: 7 * dayMs,
  sessionTtlMs: 7 * dayMs,
  idleMs: undefined,
  setupLinkTtlMs: 30 * minuteMs,
  landing: home,
  hasher: argon2id,
  onChange: () => {},
  onAccess: () => {},
} as const satisfies Partial<AuthOptions>;

export interface Auth {
  readonly superusers: Superusers;
  /** Authenticates a request. Used by the listener. */
  readonly identify: Identify;
  /** Sets the function that authenticates the application's own users. */
  resolveWith(resolve: Authenticate): void;
  /** Registers the API and the pages. */
  mount(router: RootRouter): void;
  /** Creates a link for creating the first superuser. `undefined` if a superuser exists. */
  createSetupLink(baseUrl: string): Promise<string | undefined>;
  /** The number of signed-in browsers and of valid API tokens. */
  countSessions(): Promise<{ browsers: number; tokens: number }>;
  /** Writes pending data. */
  close(): Promise<void>;
}

export function createAuth(options: AuthOptions): Auth {
  const { database, clock, landing, hasher, onAccess, idleMs, ...rest } = { ...authDefaults, ...options };
  const watch = createAccessWatch({ clock, findValid: (hashes) => tokens.findValid(hashes) });
  const isAllowedAddress = rest.isAllowedAddress ?? (() => true);
  const onChange: OnAccountChange = (change) => {
    watch.check();
    rest.onChange(change);
    onAccess(toAccessEvent(change));
  };
  const passwords = createPasswords(hasher);
  const refuseWeakPassword = createWeakPasswordCheck(rest.onWeakPassword);
  const accounts = createAccounts({ database, clock, passwords, onChange, refuseWeakPassword });
  const validTokens = createValidTokens({ database, clock, idleMs });
  const ttlMs = { token: rest.tokenTtlMs, session: rest.sessionTtlMs };
  const tokens = createTokens({ database, clock, validTokens, ttlMs, onEnd: watch.check });
  const uses = createTokenUses({ clock, write: tokens.writeUses });
  const sessions = createSessions({ validTokens, tokens, accounts, onEnd: watch.check });
  const throttle = createThrottle({ database, clock });
  const knownClients = createKnownClients({ database, clock });
  const checkPassword = createPasswordCheck({ accounts, passwords, throttle, knownClients });
  const reportAccess = createAccessReport(onAccess);
  const signIn = createSignIn({ checkPassword, knownClients, reportAccess, isAllowedAddress });
  const reauthentication = createReauthentication(clock, signIn.confirm);
  const setupLinks = createSetupLinks({ database, clock, accounts, ttlMs: rest.setupLinkTtlMs, onChange });
  let application: Authenticate | undefined;
  return {
    superusers: createSuperusers(accounts),
    identify: createIdentify({ tokens, uses, watch, isAllowedAddress, application: () => application }),
    resolveWith(resolve) {
      application = resolve;
    },
    mount(router) {
      const services = {
        accounts,
        tokens,
        sessions,
        reauthentication,
        signIn,
        confirmPassword: signIn.confirm,
        setupLinks,
        reportAccess,
        isAllowedAddress,
        landing,
        clock,
      };
      mountApi(router, services);
      mountPages(router, services);
    },
    createSetupLink: setupLinks.create,
    countSessions: async () => ({
      browsers: await tokens.count("session"),
      tokens: await tokens.count("token"),
    }),
    close: uses.flush,
  };
}
