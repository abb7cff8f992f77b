/**
 * A new Idempotency-Key: 128 random bits. `crypto.randomUUID` exists only on https and localhost, while operators may
 * serve the console over plain http inside their own network.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
