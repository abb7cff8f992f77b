import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import { addressOf } from './address.ts';
import { callTimeoutMs } from './attempts.ts';
import type { AnyRoute } from './call.ts';
import { isEnvelope, judge, type Verdict } from './envelope.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { pageEnd, untilPageEnd } from './page-end.ts';
import { inSession, reactTo } from './reactions.ts';
import { Unreachable } from './refused.ts';
import { askWithRetries, requestHeaders } from './send.ts';

/** The form field of an upload (specification section 7). */
const fileFieldName = 'file';

export type UploadOptions<R> = {
  query?: Partial<QueryOf<R>>;
  /** Additional form fields, sent before the file. */
  fields?: Readonly<Record<string, string>>;
  /** The part that has been sent, 0 to 1. At 1 the server is still processing. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  /** The page shows the refusal itself: no toast. */
  quiet?: boolean;
};

/**
 * Uploads one file to a multipart route, retrying after a network failure; the server stores it once. Shows refusals as
 * `call` does.
 * @throws Refused when the server said no; Unreachable when no answer came; the signal's reason when given up.
 */
export async function upload<R extends AnyRoute>(
  route: R,
  file: File,
  options: UploadOptions<R> = {},
): Promise<AnswerOf<R>> {
  const idempotencyKey = newIdempotencyKey();
  const send = () => askWithRetries(() => sendFile(route, file, idempotencyKey, options), options.signal);
  const verdict = await inSession(() => untilPageEnd(send), true);
  if (verdict.kind === 'accepted') return verdict.data as AnswerOf<R>;
  if (verdict.kind !== 'session-lost') reactTo(verdict, options.quiet ?? false);
  throw verdict.refused;
}

/** Uses XMLHttpRequest because fetch does not report upload progress. */
function sendFile<R extends AnyRoute>(
  route: R,
  file: File,
  idempotencyKey: string,
  options: UploadOptions<R>,
): Promise<Verdict> {
  const { query, fields = {}, onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append(fileFieldName, file, file.name);

    const request = new XMLHttpRequest();
    request.open(route.method, addressOf(route.path, {}, query));
    const headers = requestHeaders({ idempotencyKey });
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.timeout = callTimeoutMs;
    request.responseType = 'text';
    const giveUp = () => request.abort();
    signal?.addEventListener('abort', giveUp, { once: true });
    pageEnd.addEventListener('abort', giveUp, { once: true });
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    };
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (isEnvelope(answer)) resolve(judge(answer));
      else reject(new Unreachable(false));
    };
    request.onerror = () => reject(new Unreachable(false));
    request.ontimeout = () => reject(new Unreachable(true));
    request.onabort = () => reject(signal?.reason ?? new Unreachable(false));
    request.onloadend = () => {
      signal?.removeEventListener('abort', giveUp);
      pageEnd.removeEventListener('abort', giveUp);
    };
    request.send(form);
  });
}

/** A proxy's error page is not JSON and counts as no answer. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
