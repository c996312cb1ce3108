import type { PageRequest } from "../../lib/page.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { SESSION_UNKNOWN } from "../errors.ts";
import { digest } from "../secrets.ts";
import type { AuthTables, TokenKind } from "../tables.ts";
import { nameClient } from "./client-name.ts";
import type { Credential, Tokens } from "./tokens.ts";
import type { ValidTokens } from "./valid-tokens.ts";

/** A valid session or token, as its owner sees it. */
export interface Session {
  /** Public ID. It cannot be used to authenticate. */
  readonly id: string;
  readonly kind: TokenKind;
  /** The address of the last use. `undefined` for tokens issued by an older release. */
  readonly address: string | undefined;
  /** A readable client name, such as "Firefox on Linux". */
  readonly agent: string;
  readonly signedIn: Date;
  /** Updated at most once per minute. */
  readonly lastUsed: Date;
  readonly expires: Date;
  /** Whether the current request uses it. */
  readonly isCurrent: boolean;
}

/** The caller's own sessions and tokens. */
export interface Sessions {
  /** Lists the current one first, then the most recently used. */
  list(credential: Credential, page: PageRequest): Promise<{ sessions: Session[]; total: number }>;
  /** Ends a session or token and returns it. Throws if the ID does not belong to the caller. */
  end(credential: Credential, id: string): Promise<Session>;
  /** Ends all except the current one. */
  endOthers(credential: Credential): Promise<void>;
}

interface SessionParts {
  validTokens: ValidTokens;
  tokens: Tokens;
  accounts: Accounts;
  /** Called when sessions were ended without `tokens`. */
  onEnd(): void;
}

export function createSessions({ validTokens, tokens, accounts, onEnd }: SessionParts): Sessions {
  const own = async ({ superuser }: Credential) =>
    (await validTokens({ isList: true })).where("token.superuser_id", "=", superuser.id);

  return {
    async list(credential, { page, perPage }) {
      const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
      const rows = await (await own(credential))
        .selectAll("token")
        .orderBy(({ eb }) => eb.case().when("hash", "=", credential.tokenHash).then(0).else(1).end())
        .orderBy(({ fn }) => fn.coalesce("token.last_used", "token.created"), "desc")
        .orderBy("hash")
        .limit(perPage)
        .offset(offset)
        .execute();
      const { total } = await (await own(credential))
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { sessions: rows.map((row) => toSession(row, credential)), total };
    },

    async end(credential, id) {
      const rows = await (await own(credential)).selectAll("token").execute();
      const row = rows.find(({ hash }) => publicId(hash) === id);
      if (!row) throw SESSION_UNKNOWN(id);
      await tokens.end(row.hash);
      return toSession(row, credential);
    },

    async endOthers({ superuser, tokenHash }) {
      await accounts.endOtherTokens(superuser.id, tokenHash);
      onEnd();
    },
  };
}

/** Derived from the stored digest, so that it needs no column. The digest cannot be derived from it. */
function publicId(hash: string): string {
  return digest(`session ${hash}`).slice(0, 20);
}

function toSession(row: AuthTables["annex_tokens"], { tokenHash }: Credential): Session {
  return {
    id: publicId(row.hash),
    kind: row.kind,
    address: row.address ?? undefined,
    agent: nameClient(row.agent),
    signedIn: new Date(row.signed_in ?? row.created),
    lastUsed: new Date(row.last_used ?? row.created),
    expires: new Date(row.expires),
    isCurrent: row.hash === tokenHash,
  };
}
