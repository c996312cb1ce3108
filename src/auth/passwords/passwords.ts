import { hash, verify } from "@node-rs/argon2";
import { PASSWORDS_BUSY } from "../errors.ts";
import { createGate } from "./gate.ts";

/** Hashes and verifies passwords. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

// OWASP's first recommendation for argon2id, which is the default of the library.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

export const argon2id: PasswordHasher = {
  hash: (password) => hash(password, cost),
  verify: (stored, password) => verify(stored, password),
};

/** Has the format and cost of a real hash, but no known password. */
const decoy = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a stored hash, it does the same work, so that the duration does not reveal whether the account exists. */
  verify(stored: string | undefined, password: string): Promise<boolean>;
}

/**
 * Each comparison takes 19 MiB and a thread of Node's pool, which the file system and DNS also use, for about 20 ms.
 * Two concurrent comparisons leave threads for the others, and a queue of 64 is processed in less than a second.
 */
export function createPasswords(hasher: PasswordHasher): Passwords {
  const enter = createGate(2, 64, () => PASSWORDS_BUSY.with({ headers: { "Retry-After": "1" } }));
  return {
    hash: (password) => enter(() => hasher.hash(password)),
    async verify(stored, password) {
      const matches = await enter(() => hasher.verify(stored ?? decoy, password));
      return matches && stored !== undefined;
    },
  };
}
