import { useState } from 'react';

/**
 * When the answer that was `updatedAt` (by this machine's clock; 0 for never) came, in ms of the page's own clock, which
 * nobody sets: what is compared with it stays right when the machine's clock is put right.
 */
export function useReceivedAt(updatedAt: number): number {
  const [known, setKnown] = useState({ updatedAt: 0, receivedAtMs: 0 });
  if (known.updatedAt === updatedAt) return known.receivedAtMs;
  const receivedAtMs = updatedAt === 0 ? 0 : performance.now() - Math.max(0, Date.now() - updatedAt);
  setKnown({ updatedAt, receivedAtMs });
  return receivedAtMs;
}
