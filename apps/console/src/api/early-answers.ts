import type { Verdict } from './envelope.ts';
import { send } from './send.ts';
import { readToken } from './token.ts';

/** An answer that nobody took by then is too old. */
const keptMs = 15_000;

type Early = { atMs: number; token: string | null; verdict: Promise<Verdict> };

const early = new Map<string, Early>();

/** Asks for an answer before the page that needs it is loaded, which takes it instead of asking. */
export function askEarly(address: string): Promise<Verdict> {
  const verdict = send({ method: 'GET', address });
  early.set(address, { atMs: performance.now(), token: readToken(), verdict });
  // Whoever takes the answer gets the failure.
  verdict.catch(() => undefined);
  return verdict;
}

/** The early answer of a request, once, unless somebody else has signed in meanwhile. */
export function takeEarly(method: string, address: string): Promise<Verdict> | undefined {
  const found = method === 'GET' ? early.get(address) : undefined;
  early.delete(address);
  if (found === undefined || found.token !== readToken()) return undefined;
  return performance.now() - found.atMs < keptMs ? found.verdict : undefined;
}
