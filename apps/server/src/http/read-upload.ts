import multipart from '@fastify/multipart';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isStorable } from './unstorable.ts';

/** Specification section 7: the form field of an upload. */
const fileFieldName = 'file';
const fieldsMax = 4;
const fieldBytesMax = 4_096;
/** Boundaries, part headers and other fields, beside the file itself. */
const formBytesMax = 32_768;
const megabyte = 1024 * 1024;
/**
 * How much of a refused form is read and discarded: a browser whose connection closes while it is sending shows a
 * network error instead of the refusal.
 */
const discardedBytesMax = 16 * megabyte;

export type IncomingFile = {
  /** The name given by the sender: for display, never for opening a file on the server. */
  name: string;
  content: AsyncIterable<Buffer>;
};

export type Receiving<Taken> = {
  bytesMax: number;
  /** Names of the text fields allowed beside the file. */
  fields: readonly string[];
  take(file: IncomingFile): Promise<Result<Taken, ApiError>>;
  undo(taken: Taken): Promise<void>;
};

export type Received<Taken> = { taken: Taken; fields: Readonly<Record<string, string>> };

/** A form that is still arriving; it can be read once. */
export type Upload = {
  /**
   * Streams the form's one file into `take` without buffering it; `take` may stop reading. The whole form must be
   * valid: if something after the file is wrong, `undo` gets what `take` returned.
   */
  receive<Taken>(options: Receiving<Taken>): Promise<Result<Received<Taken>, ApiError>>;
};

/** The refusal of a file larger than `bytesMax`; specification section 8 states the limit in MB. */
export function tooLarge(bytesMax: number): ApiError {
  return { code: 'file.too_large', params: { max: Math.round((bytesMax / megabyte) * 10) / 10 } };
}

/** Accepts multipart forms for `uploadOf`. After the answer, the rest of a form is read for a while. */
export async function acceptUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false });
  // Before the answer: afterwards Node reads an unread request to its end without any event.
  app.addHook('onSend', async (request) => {
    const { raw } = request;
    if (!request.isMultipart() || raw.readableEnded || raw.destroyed) return;
    let discardedBytes = 0;
    raw.unpipe();
    raw.on('data', (chunk: Buffer) => {
      discardedBytes += chunk.length;
      if (discardedBytes > discardedBytesMax) raw.destroy();
    });
    raw.resume();
  });
}

export function uploadOf(request: FastifyRequest): Upload {
  return { receive: (options) => receiveForm(request, options) };
}

async function receiveForm<Taken>(
  request: FastifyRequest,
  { bytesMax, fields: known, take, undo }: Receiving<Taken>,
): Promise<Result<Received<Taken>, ApiError>> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax + formBytesMax) return failed(tooLarge(bytesMax));
  const form = partsOf(request, bytesMax);
  const fields: Record<string, string> = {};
  const faults: FieldFault[] = [];
  let kept: { taken: Taken } | null = null;
  const refuse = async (error: ApiError) => {
    if (kept !== null) await undo(kept.taken);
    return failed(error);
  };
  for (;;) {
    const next = await form.next();
    if (!next.ok) return refuse(next.error);
    const part = next.value;
    if (part === null) break;
    const path = part.fieldname.slice(0, 64);
    if (part.type === 'field') {
      if (!known.includes(path)) faults.push({ path, code: path === fileFieldName ? 'invalid' : 'unknown_field' });
      else if (part.valueTruncated || typeof part.value !== 'string') faults.push({ path, code: 'invalid' });
      else if (!isStorable(part.value)) faults.push({ path, code: 'bad_characters' });
      else fields[path] = part.value.trim();
      continue;
    }
    if (path !== fileFieldName) {
      return refuse({ code: 'request.invalid', fields: [...faults, { path, code: 'unknown_field' }] });
    }
    if (!isStorable(part.filename ?? '')) {
      return refuse({ code: 'request.invalid', fields: [...faults, { path, code: 'bad_characters' }] });
    }
    try {
      const result = await take({ name: part.filename ?? '', content: part.content });
      if (!result.ok) return refuse(result.error);
      kept = { taken: result.value };
    } catch (error) {
      if (error instanceof BrokenForm) return refuse({ code: 'request.malformed' });
      throw error;
    }
  }
  if (kept === null && faults.length === 0) faults.push({ path: fileFieldName, code: 'required' });
  if (kept === null || faults.length > 0) return refuse({ code: 'request.invalid', fields: faults });
  return ok({ taken: kept.taken, fields });
}

class BrokenForm extends Error {}

/** The parts of the form in order; null at its valid end. */
function partsOf(request: FastifyRequest, bytesMax: number) {
  const parts = request.parts({
    limits: {
      // One byte more than allowed, so that the reader of the file sees it is too large.
      fileSize: bytesMax + 1,
      files: 1,
      fields: fieldsMax,
      parts: fieldsMax + 1,
      fieldSize: fieldBytesMax,
      fieldNameSize: 64,
      headerPairs: 20,
    },
  });
  return {
    async next() {
      try {
        const { value, done } = await parts.next();
        if (done === true) return ok(null);
        if (value.type === 'field') return ok(value);
        return ok({
          type: 'file' as const,
          fieldname: value.fieldname,
          filename: value.filename,
          content: checkedBytes(value.file),
        });
      } catch (error) {
        const isSecondFile = error instanceof request.server.multipartErrors.FilesLimitError;
        return failed<ApiError>(
          isSecondFile
            ? { code: 'request.invalid', fields: [{ path: fileFieldName, code: 'only_one' }] }
            : { code: 'request.malformed' },
        );
      }
    },
  };
}

/** An error while a file arrives is the fault of the sender or the connection, not the server's. */
async function* checkedBytes(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    throw new BrokenForm('the form broke off', { cause: error });
  }
}
