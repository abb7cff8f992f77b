import { hash, verify } from '@node-rs/argon2';

/**
 * Argon2id with the parameters of OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane; about 11 ms here.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

let nobodysHash: Promise<string> | null = null;

/** Takes the same time with or without a stored hash, so that timing does not reveal which names exist. */
export async function passwordMatches(password: string, storedHash: string | null): Promise<boolean> {
  nobodysHash ??= hashPassword('a password that nobody has');
  const matches = await verify(storedHash ?? (await nobodysHash), password);
  return matches && storedHash !== null;
}
