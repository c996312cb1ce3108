import { networkOf } from "../../lib/network.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { dayMs } from "../../lib/time/units.ts";
import type { Account } from "../accounts/accounts.ts";
import { createSecret, digest } from "../secrets.ts";
import type { IssuedToken } from "../sessions/tokens.ts";
import type { AuthTables, ClientKind, OpenDatabase } from "../tables.ts";
import type { Client } from "./client.ts";

/**
 * Clients that have signed in before: browsers by device cookie, networks by address. An attack on an account does not
 * lock out known clients.
 */
export interface KnownClients {
  /** How this client is known for the account with this email, or `undefined`. */
  find(email: string, client: Client): Promise<KnownAs | undefined>;
  rememberNetwork(account: Signer, client: Client): Promise<void>;
  /** Returns the value of the device cookie. */
  rememberDevice(account: Signer, client: Client): Promise<IssuedToken>;
}

/** The signed-in account. */
type Signer = Pick<Account, "id" | "generation">;

export type KnownAs = { readonly kind: "network" } | { readonly kind: "device"; readonly hash: string };

interface KnownClientsParts {
  database: OpenDatabase;
  clock: Clock;
  /** Creates the secret of a device. */
  createSecret?: () => string;
}

const ttlMs: Record<ClientKind, number> = { device: 365 * dayMs, network: 30 * dayMs };
/** Maximum number of each kind per account. The least recently used ones are deleted. */
const maxPerAccount = 20;

export function createKnownClients(parts: KnownClientsParts): KnownClients {
  const { database, clock, createSecret: newSecret = createSecret } = parts;
  const tables = async () => (await database()).tables<AuthTables>();

  /** Independent of the attempted account, so that the duration of the query does not reveal whether it exists. */
  async function findRows({ address, device }: Client) {
    return (await tables())
      .selectFrom("annex_known_clients as client")
      .innerJoin("annex_superusers as superuser", "superuser.id", "client.superuser_id")
      .select(["kind", "hash", "email", "client.generation", "superuser.generation as current"])
      .where("hash", "in", [networkHash(address), deviceHash(device ?? "")])
      .where("client.expires", ">", clock.now())
      .execute();
  }

  async function remember({ id, generation }: Signer, kind: ClientKind, hash: string): Promise<void> {
    const row = { hash, superuser_id: id, kind, generation, expires: clock.now() + ttlMs[kind] };
    await (await tables())
      .insertInto("annex_known_clients")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["hash", "superuser_id"]).doUpdateSet({ generation, expires: row.expires }),
      )
      .execute();
    await trim(id, kind);
  }

  async function trim(superuserId: string, kind: ClientKind): Promise<void> {
    const db = await tables();
    const kept = db
      .selectFrom("annex_known_clients")
      .select("hash")
      .where("superuser_id", "=", superuserId)
      .where("kind", "=", kind)
      .where("expires", ">", clock.now())
      .orderBy("expires", "desc")
      .limit(maxPerAccount);
    const rows = db.deleteFrom("annex_known_clients").where("superuser_id", "=", superuserId);
    await rows.where("kind", "=", kind).where("hash", "not in", kept).execute();
  }

  return {
    async find(email, client) {
      const rows = await findRows(client);
      const device = rows.find((row) => row.kind === "device" && row.email === email && isCurrent(row));
      if (device) return { kind: "device", hash: device.hash };
      return rows.some(({ kind }) => kind === "network") ? { kind: "network" } : undefined;
    },

    rememberNetwork: (account, { address }) => remember(account, "network", networkHash(address)),

    async rememberDevice(account, client) {
      const text = (await isIssued(client)) ? client.device! : newSecret();
      await remember(account, "device", deviceHash(text));
      return { text, ttlMs: ttlMs.device };
    },
  };

  /** Whether Annex issued this browser's cookie, for any account. Otherwise an attacker may have set it. */
  async function isIssued(client: Client): Promise<boolean> {
    return (await findRows(client)).some(({ kind }) => kind === "device");
  }
}

function isCurrent({ generation, current }: { generation: number; current: number }): boolean {
  return generation === current;
}

function networkHash(address: string): string {
  return digest(`network ${networkOf(address)}`);
}

function deviceHash(secret: string): string {
  return digest(`device ${secret}`);
}
