import type { Clock } from "../lib/clock.ts";
import type { Account, Superuser } from "./accounts.ts";
import { createSecret, digest, secretPattern } from "./secrets.ts";
import type { AuthTables, OpenDatabase, TokenKind } from "./tables.ts";

/** What a request proved by sending a token. */
export interface Credential {
  readonly superuser: Superuser;
  readonly generation: number;
  readonly kind: TokenKind;
  readonly tokenHash: string;
}

export interface IssuedToken {
  readonly text: string;
  readonly ttlMs: number;
}

export interface Tokens {
  issue(account: Pick<Account, "id" | "generation">, kind: TokenKind): Promise<IssuedToken>;
  find(text: string, kind: TokenKind): Promise<Credential | undefined>;
  end(tokenHash: string): Promise<void>;
  /** How many are good at the moment. */
  count(kind: TokenKind): Promise<number>;
  /** Leaves the requests that are on their way with the old token a minute to arrive. */
  endSoon(tokenHash: string): Promise<void>;
}

interface TokenParts {
  database: OpenDatabase;
  clock: Clock;
  /** How long a token lives, by its kind. */
  ttlMs: Record<TokenKind, number>;
}

const refreshGraceMs = 60_000;
const purgedAtOnce = 100;

export function createTokens({ database, clock, ttlMs }: TokenParts): Tokens {
  const tables = async () => (await database()).tables<AuthTables>();

  /**
   * Each new token clears away some that are over, so that the table does not grow with the years. If two instances
   * get into each other's way, the next token does it.
   */
  async function purge(): Promise<void> {
    const db = await tables();
    const over = db.selectFrom("annex_tokens").select("hash").where("expires", "<=", clock.now());
    const some = db.deleteFrom("annex_tokens").where("hash", "in", over.limit(purgedAtOnce));
    await some.execute().catch(() => {});
  }

  return {
    async issue({ id, generation }, kind) {
      await purge();
      const created = clock.now();
      const expires = created + ttlMs[kind];
      const text = kind === "token" ? createTokenText(id, expires) : createSecret();
      const row = { hash: digest(text), kind, superuser_id: id, generation, created, expires };
      await (await tables()).insertInto("annex_tokens").values(row).execute();
      return { text, ttlMs: ttlMs[kind] };
    },

    async find(text, kind) {
      const tokenHash = digest(text);
      const row = await (await tables())
        .selectFrom("annex_tokens as token")
        .innerJoin("annex_superusers as superuser", (join) =>
          join
            .onRef("superuser.id", "=", "token.superuser_id")
            .onRef("superuser.generation", "=", "token.generation"),
        )
        .select(["superuser.id", "email", "superuser.created", "updated", "superuser.generation"])
        .where("hash", "=", tokenHash)
        .where("kind", "=", kind)
        .where("expires", ">", clock.now())
        .executeTakeFirst();
      if (!row) return undefined;
      const { id, email, generation } = row;
      const superuser = { id, email, created: new Date(row.created), updated: new Date(row.updated) };
      return { superuser, generation, kind, tokenHash };
    },

    async end(tokenHash) {
      await (await tables()).deleteFrom("annex_tokens").where("hash", "=", tokenHash).execute();
    },

    async count(kind) {
      const { count } = await (await tables())
        .selectFrom("annex_tokens as token")
        .innerJoin("annex_superusers as superuser", (join) =>
          join
            .onRef("superuser.id", "=", "token.superuser_id")
            .onRef("superuser.generation", "=", "token.generation"),
        )
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("kind", "=", kind)
        .where("expires", ">", clock.now())
        .executeTakeFirstOrThrow();
      return count;
    },

    async endSoon(tokenHash) {
      const expires = clock.now() + refreshGraceMs;
      const token = (await tables()).updateTable("annex_tokens").where("hash", "=", tokenHash);
      await token.set({ expires }).where("expires", ">", expires).execute();
    },
  };
}

/** The ID that PocketBase gives to its collection of superusers; its clients know a superuser's token by it. */
export const superusersCollectionId = "pbc_3142635823";

// The client decodes a token as if it were a JWT, to know whose it is and when it ends. So it looks like one, but only
// to clients: here the whole text is a secret to be looked up, and nothing in it is believed.
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

/** Whether the text can be a token of this kind at all. What cannot is not worth a query. */
export function looksLike(kind: TokenKind, text: string): boolean {
  return (kind === "token" ? tokenShape : secretShape).test(text);
}
