import {
  type Host,
  type InjectRequest,
  Listener,
  listenerLimits,
  parseTrustedProxies,
} from "../../http/index.ts";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import type { Cleanup } from "../../lib/testing/share.ts";
import type { Database, Engine } from "../../storage/index.ts";
import { openTestDatabase as openEmptyDatabase } from "../../storage/testing/test-database.ts";

import {
  type Auth,
  type AuthOptions,
  authMigrations,
  createAuth,
  type PasswordHasher,
  revocationOf,
} from "../index.ts";

export type TestClock = FakeClock;

/** A clock that the test controls. */
export function createTestClock(): TestClock {
  return new FakeClock("2026-03-01T12:00:00Z");
}

/** A fast hasher that counts its comparisons. */
export interface TestHasher extends PasswordHasher {
  verified: number;
}

export function createTestHasher(): TestHasher {
  const hasher: TestHasher = {
    verified: 0,
    hash: async (password) => `hash of ${password}`,
    async verify(stored, password) {
      hasher.verified++;
      return stored === `hash of ${password}`;
    },
  };
  return hasher;
}

/** An empty database with the tables of this feature. It is removed after the test. */
export function openTestDatabase(t: Cleanup, engine: Engine = "sqlite"): Promise<Database> {
  return openEmptyDatabase(t, engine, authMigrations);
}

export interface TestServer {
  readonly auth: Auth;
  readonly listener: Listener;
  readonly database: Database;
  readonly clock: TestClock;
  readonly hasher: TestHasher;
  inject: Listener["inject"];
}

/** A server with only this feature and without a socket. Missing options are created for the test. */
export async function createTestServer(
  t: Cleanup,
  options: Partial<AuthOptions> & { store?: Database; routes?: (listener: Listener) => void } = {},
): Promise<TestServer> {
  const { store = await openTestDatabase(t), routes, ...rest } = options;
  const clock = createTestClock();
  const hasher = createTestHasher();
  const auth = createAuth({ database: async () => store, clock, hasher, ...rest });
  const listener = new Listener({
    app: {} as Host,
    limits: listenerLimits,
    trust: parseTrustedProxies(["10.0.0.1"]),
  });
  listener.routes.reserve("/_", "Annex");
  listener.identifyWith(auth.identify, revocationOf);
  auth.mount(listener.routes.router("Annex"));
  routes?.(listener);
  await listener.ready();
  const inject = (request: InjectRequest) => listener.inject(request);
  return { auth, listener, database: store, clock, hasher, inject };
}

export const ada = { identity: "ada@example.com", password: "difference engine" };

/** A server with one superuser and her token. */
export async function createOwnedServer(
  t: Cleanup,
  options: Parameters<typeof createTestServer>[1] = {},
): Promise<TestServer & { token: string }> {
  const server = await createTestServer(t, options);
  await server.auth.superusers.create(ada.identity, ada.password);
  return { ...server, token: await logIn(server) };
}

const collection = "/api/collections/_superusers";

export async function logIn({ inject }: TestServer, credentials = ada): Promise<string> {
  const response = await inject({
    method: "POST",
    url: `${collection}/auth-with-password`,
    body: credentials,
  });
  return response.json<{ token: string }>().token;
}
