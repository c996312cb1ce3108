import type { Kysely, Transaction } from "kysely";
import type { Clock } from "../../lib/time/clock.ts";
import type { AccessOrigin } from "../access-event.ts";
import type { Account, Superuser } from "../accounts/accounts.ts";
import { createSecret, digest, secretPattern } from "../secrets.ts";
import type { AuthTables, OpenDatabase, TokenKind } from "../tables.ts";
import type { TokenUse } from "./token-use.ts";
import type { ValidTokens } from "./valid-tokens.ts";

/** The token or session of a request, and its superuser. */
export interface Credential {
  readonly superuser: Superuser;
  readonly generation: number;
  readonly kind: TokenKind;
  readonly tokenHash: string;
  /** Time of the sign-in with a password, in milliseconds since the epoch. */
  readonly signedIn: number;
}

export interface IssuedToken {
  readonly text: string;
  readonly ttlMs: number;
}

type Origin = Omit<AccessOrigin, "traceId">;

export interface Tokens {
  /** Issues a token after a successful sign-in. */
  issue(account: Pick<Account, "id" | "generation">, kind: TokenKind, from?: Origin): Promise<IssuedToken>;
  /**
   * Replaces a token. The old one is accepted for another minute, for requests in flight. `undefined` if it was ended
   * in the meantime.
   */
  renew(credential: Credential, from: Origin): Promise<IssuedToken | undefined>;
  find(text: string, kind: TokenKind): Promise<Credential | undefined>;
  /** Returns the valid ones among these hashes. */
  findValid(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  end(tokenHash: string): Promise<void>;
  /** The number of valid tokens. */
  count(kind: TokenKind): Promise<number>;
  /** Stores the last uses of tokens. */
  writeUses(uses: ReadonlyMap<string, TokenUse>): Promise<void>;
}

interface TokenParts {
  database: OpenDatabase;
  clock: Clock;
  validTokens: ValidTokens;
  /** Lifetime of a token, by kind. */
  ttlMs: Record<TokenKind, number>;
  /** Called when a token was ended before it expired. */
  onEnd?: () => void;
}

const refreshGraceMs = 60_000;
const purgedPerBatch = 100;
const maxAgentLength = 256;

export function createTokens({ database, clock, validTokens, ttlMs, onEnd }: TokenParts): Tokens {
  const tables = async () => (await database()).tables<AuthTables>();

  /**
   * Deletes some expired tokens whenever a token is issued, so that the table does not grow. If two instances conflict,
   * the next token retries it.
   */
  async function purge(): Promise<void> {
    const db = await tables();
    const over = db.selectFrom("annex_tokens").select("hash").where("expires", "<=", clock.now());
    const some = db.deleteFrom("annex_tokens").where("hash", "in", over.limit(purgedPerBatch));
    await some.execute().catch(() => {});
  }

  async function insert(
    db: Kysely<AuthTables>,
    { id, generation, kind, signedIn, from }: NewToken,
  ): Promise<IssuedToken> {
    const created = clock.now();
    const expires = created + ttlMs[kind];
    const text = kind === "token" ? createTokenText(id, expires) : createSecret();
    const owner = { hash: digest(text), kind, superuser_id: id, generation };
    const times = { created, expires, signed_in: signedIn, last_used: created };
    await db
      .insertInto("annex_tokens")
      .values({ ...owner, ...times, ...toPlace(from) })
      .execute();
    return { text, ttlMs: ttlMs[kind] };
  }

  return {
    async issue({ id, generation }, kind, from) {
      await purge();
      return insert(await tables(), { id, generation, kind, signedIn: clock.now(), from });
    },

    async renew({ superuser, generation, kind, tokenHash, signedIn }, from) {
      await purge();
      return (await database()).transaction(async (trx: Transaction<AuthTables>) => {
        if (!(await endSoon(trx, tokenHash, clock.now() + refreshGraceMs))) return undefined;
        return insert(trx, { id: superuser.id, generation, kind, signedIn, from });
      });
    },

    async find(text, kind) {
      const tokenHash = digest(text);
      const row = await (await validTokens())
        .select(["superuser.id", "email", "superuser.created", "updated", "superuser.generation"])
        .select("token.signed_in")
        .where("hash", "=", tokenHash)
        .where("kind", "=", kind)
        .executeTakeFirst();
      if (!row) return undefined;
      const { id, email, generation, signed_in } = row;
      const superuser = { id, email, created: new Date(row.created), updated: new Date(row.updated) };
      return { superuser, generation, kind, tokenHash, signedIn: signed_in ?? 0 };
    },

    async findValid(hashes) {
      if (hashes.length === 0) return new Set();
      const rows = await (await validTokens()).select("hash").where("hash", "in", hashes).execute();
      return new Set(rows.map(({ hash }) => hash));
    },

    async end(tokenHash) {
      await (await tables()).deleteFrom("annex_tokens").where("hash", "=", tokenHash).execute();
      onEnd?.();
    },

    async count(kind) {
      const { count } = await (await validTokens({ isList: true }))
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("kind", "=", kind)
        .executeTakeFirstOrThrow();
      return count;
    },

    async writeUses(uses) {
      const db = await tables();
      for (const [hash, { time, ...from }] of uses) {
        await db
          .updateTable("annex_tokens")
          .set({ last_used: time, ...toPlace(from) })
          .where("hash", "=", hash)
          // Another instance may have seen a later use.
          .where(({ eb, fn }) => eb(fn.coalesce("last_used", "created"), "<=", time))
          .execute();
      }
    },
  };
}

interface NewToken {
  readonly id: string;
  readonly generation: number;
  readonly kind: TokenKind;
  readonly signedIn: number;
  readonly from: Origin | undefined;
}

/** PostgreSQL cannot store U+0000, and a header can be 16 KB long. */
function toPlace(from: Origin | undefined): { address: string | null; agent: string | null } {
  const agent = from?.agent?.slice(0, maxAgentLength).replaceAll("\0", "").toWellFormed();
  return { address: from?.address ?? null, agent: agent ?? null };
}

/** Shortens the lifetime of a token, but never extends it. Returns whether the token still exists. */
async function endSoon(trx: Transaction<AuthTables>, hash: string, expires: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("annex_tokens")
    .set((eb) => ({
      expires: eb.case().when("expires", ">", expires).then(expires).else(eb.ref("expires")).end(),
    }))
    .where("hash", "=", hash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The ID of the superusers collection in PocketBase. Its clients recognize a superuser's token by this ID. */
export const superusersCollectionId = "pbc_3142635823";

// The PocketBase client decodes the token like a JWT to read its owner and expiry, so it has that format. The server
// treats the whole text as an opaque secret and does not trust its contents.
const header = encode({ alg: "annex-opaque", typ: "JWT" });
const tokenShape = new RegExp(`^${header}\\.[A-Za-z0-9_-]{1,512}\\.${secretPattern}$`);
const secretShape = new RegExp(`^${secretPattern}$`);

function createTokenText(id: string, expires: number): string {
  const exp = Math.floor(expires / 1000);
  return `${header}.${encode({ id, type: "auth", collectionId: superusersCollectionId, exp })}.${createSecret()}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Whether the text has the format of a token of this kind, so that other text needs no query. */
export function looksLike(kind: TokenKind, text: string): boolean {
  return (kind === "token" ? tokenShape : secretShape).test(text);
}
