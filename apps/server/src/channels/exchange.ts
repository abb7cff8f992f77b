/** One HTTP exchange with a channel: no redirects, a bounded wait, a bounded answer. */
export type ExchangeRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  bytesMax: number;
};

export type Exchanged =
  | { status: number; headers: Headers; body: Buffer }
  /** Nobody knows whether the request arrived. */
  | { status: null; fault: 'timeout' | 'too_large' | 'no_connection'; detail: string };

export async function exchange(request: ExchangeRequest): Promise<Exchanged> {
  const { url, method, headers, body, timeoutMs, bytesMax } = request;
  try {
    const answer = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body }),
    });
    const bytes = await readUpTo(answer, bytesMax);
    if (bytes === null) return { status: null, fault: 'too_large', detail: `more than ${bytesMax} bytes` };
    return { status: answer.status, headers: answer.headers, body: bytes };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'TimeoutError')
      return { status: null, fault: 'timeout', detail: `no answer in ${timeoutMs} ms` };
    // `fetch` throws a TypeError for everything that can go wrong with a connection, with the fault as its cause.
    if (!(error instanceof TypeError)) throw error;
    const cause = error.cause instanceof Error ? error.cause : error;
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
    return { status: null, fault: 'no_connection', detail: code };
  }
}

/** Null where there is more. */
async function readUpTo(answer: Response, bytesMax: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
