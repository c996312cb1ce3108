import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>;
const length = 32;

/** The salt and the hash, in one text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return Buffer.concat([salt, await derive(password, salt, length)]).toString("base64");
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const bytes = Buffer.from(stored, "base64");
  return timingSafeEqual(await derive(password, bytes.subarray(0, 16), length), bytes.subarray(16));
}

/** Takes as long as a check, so that the time of a refusal does not show whether an account exists. */
export async function refusePassword(password: string): Promise<false> {
  await derive(password, randomBytes(16), length);
  return false;
}
