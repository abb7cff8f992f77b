import multipart from '@fastify/multipart';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isStorable } from './unstorable.ts';

/** Specification section 7: the form field of an upload. */
const fileFieldName = 'file';
const fieldsMax = 4;
const fieldBytesMax = 4_096;
/** Boundaries, part headers and the other fields, beside the file itself. */
const formBytesMax = 32_768;
const megabyte = 1024 * 1024;
/**
 * So much of a refused form is read on and thrown away: a browser that finds its connection closed while it is still
 * sending shows a network error instead of the refusal.
 */
const discardedBytesMax = 16 * megabyte;

export type IncomingFile = {
  /** As the sender named it: for people to read, never for the server to open. */
  name: string;
  content: AsyncIterable<Buffer>;
};

export type Receiving<Taken> = {
  bytesMax: number;
  /** Names of the text fields that may stand beside the file. */
  fields: readonly string[];
  take(file: IncomingFile): Promise<Result<Taken, ApiError>>;
  undo(taken: Taken): Promise<void>;
};

export type Received<Taken> = { taken: Taken; fields: Readonly<Record<string, string>> };

/** A form that is still arriving. It is read once. */
export type Upload = {
  /**
   * Reads the form and gives its one file to `take` while it arrives, without holding it; `take` may stop reading. The
   * whole form must be sound: when something behind the file is wrong, `undo` gets what `take` made of it.
   */
  receive<Taken>(options: Receiving<Taken>): Promise<Result<Received<Taken>, ApiError>>;
};

/** The refusal of a file that is larger than `bytesMax`; specification section 8 says it in MB. */
export function tooLarge(bytesMax: number): ApiError {
  return { code: 'file.too_large', params: { max: Math.round((bytesMax / megabyte) * 10) / 10 } };
}

/** Lets forms with files through to `uploadOf`. What is left of a form once it is answered is read on for a while. */
export async function acceptUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false });
  // Before the answer: a request that nobody reads by then Node reads on without end and without telling anybody.
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

/** The parts of the form one after the other; null at its sound end. */
function partsOf(request: FastifyRequest, bytesMax: number) {
  const parts = request.parts({
    limits: {
      // One more than allowed, so that whoever reads the file sees that it is too large.
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
          content: soundly(value.file),
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

/** What breaks while a file arrives is the sender's or the line's fault, not the server's. */
async function* soundly(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    throw new BrokenForm('the form broke off', { cause: error });
  }
}
