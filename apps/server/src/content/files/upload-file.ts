import type { ApiError } from '@voltdeck/contract/errors';
import { type FilePurpose, fileRules, type StoredFile } from '@voltdeck/contract/files';
import type { Permission } from '@voltdeck/contract/permissions';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { agentOfNewRecord } from '../../caller/scope.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../database/transact.ts';
import type { KeptBytes } from '../../files/file-store.ts';
import { pixelsMax, remakePicture } from '../../files/remake-picture.ts';
import { bytesOf } from '../../http/bytes-of.ts';
import { nameFor } from '../../http/clean-name.ts';
import { type IncomingFile, tooLarge, type Upload } from '../../http/read-upload.ts';
import { say } from '../../http/say.ts';
import { readFile } from './queries.ts';

/** Permissions per purpose. A portrait needs only a session. */
const neededFor: Readonly<Record<FilePurpose, Permission | null>> = {
  editor: 'article.edit',
  advert: 'advert.edit',
  site: 'site.edit',
  avatar: null,
  feedback: 'feedback.create',
  document: 'file.edit',
  licence: 'agent.edit',
  grid_bill: 'finance.grid_bill',
};

const descriptionMax = 500;
/** Enough bytes to recognise any file type. */
const headBytes = 4_100;
const unknownType = 'application/octet-stream';

type Taken = KeptBytes & { name: string; contentType: string; widthPx: number | null; heightPx: number | null };

/** Receives one file: judged by its content and never by its name, and a picture re-encoded from its pixels. */
export async function uploadFile(
  context: Context,
  caller: Caller,
  purpose: FilePurpose,
  upload: Upload,
  at: Instant,
): Promise<Result<StoredFile, ApiError>> {
  const { files, database } = context;
  const needed = neededFor[purpose];
  if (needed !== null && !caller.admin && !caller.permissions.has(needed)) return failed({ code: 'access.denied' });
  const { types, bytesMax, public: isPublic } = fileRules[purpose];
  const received = await upload.receive<Taken>({
    bytesMax,
    fields: ['description'],
    take: (file) =>
      types === null
        ? takeDocument(context, file, bytesMax)
        : takePicture(context, caller, file, {
            types,
            bytesMax,
            shape: purpose === 'avatar' ? 'portrait' : 'as-it-is',
          }),
    undo: ({ key }) => files.delete(key),
  });
  if (!received.ok) return received;
  const { taken } = received.value;
  const description = received.value.fields.description ?? '';
  try {
    if (description.length > descriptionMax) {
      const fault = { path: 'description', code: 'too_long', params: { max: descriptionMax } } as const;
      await files.delete(taken.key);
      return failed({ code: 'request.invalid', fields: [fault] });
    }
    const record = {
      key: taken.key,
      name: taken.name,
      description,
      content_type: taken.contentType,
      size_bytes: taken.sizeBytes,
      sha256: taken.sha256,
      purpose,
      public: isPublic,
      width_px: taken.widthPx,
      height_px: taken.heightPx,
      user_id: caller.userId,
      agent_id: agentOfNewRecord(caller, undefined) ?? null,
      created_at: at,
    };
    return await transact(database.db, async (trx) => {
      const { id } = await trx.insertInto('files').values(record).returning('id').executeTakeFirstOrThrow();
      const { name, contentType, sizeBytes } = taken;
      const after = { name, description, contentType, sizeBytes, purpose };
      await audit(trx, caller, at, { action: 'file.upload', recordKind: 'file', recordId: id, after });
      return ok(await readFile(trx, caller, id));
    });
  } catch (error) {
    await files.delete(taken.key);
    throw error;
  }
}

/** A picture is decoded in memory; nothing that was not re-encoded reaches the store. */
async function takePicture(
  { files }: Context,
  caller: Caller,
  { name, content }: IncomingFile,
  { types, bytesMax, shape }: { types: readonly string[]; bytesMax: number; shape: 'as-it-is' | 'portrait' },
): Promise<Result<Taken, ApiError>> {
  const bytes = await bytesOf(content, bytesMax);
  if (bytes === null) return failed(tooLarge(bytesMax));
  if (bytes.length === 0) return failed({ code: 'file.unreadable' });
  const type = (await typeOf(bytes.subarray(0, headBytes))) ?? unknownType;
  if (!types.includes(type)) {
    return failed({ code: 'file.wrong_type', params: { types: namesOf(types, caller) } });
  }
  const picture = await remakePicture(bytes, shape);
  if (!picture.ok && picture.error.code === 'too_many_pixels') {
    return failed({ code: 'file.too_many_pixels', params: { max: pixelsMax / 1_000_000 } });
  }
  if (!picture.ok || picture.value.type !== type) return failed({ code: 'file.unreadable' });
  const { bytes: remade, widthPx, heightPx } = picture.value;
  // A re-encoded picture may be larger than the original, but never by orders of magnitude, since its edges are
  // limited.
  const kept = await files.put(oneChunk(remade), { bytesMax: remade.length });
  if (!kept.ok) throw new Error(kept.error.code);
  return ok({ ...kept.value, name: nameFor(type, name), contentType: type, widthPx, heightPx });
}

/** Any other file goes to the store as it is. It is only ever served as a download. */
async function takeDocument(
  { files }: Context,
  { name, content }: IncomingFile,
  bytesMax: number,
): Promise<Result<Taken, ApiError>> {
  const head = { bytes: Buffer.alloc(0) };
  const kept = await files.put(notingHead(content, head), { bytesMax });
  if (!kept.ok) return failed(tooLarge(bytesMax));
  if (kept.value.sizeBytes === 0) {
    await files.delete(kept.value.key);
    return failed({ code: 'file.unreadable' });
  }
  const contentType = (await typeOf(head.bytes)) ?? unknownType;
  return ok({ ...kept.value, name: nameFor(contentType, name), contentType, widthPx: null, heightPx: null });
}

async function* notingHead(content: AsyncIterable<Buffer>, head: { bytes: Buffer }): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    if (head.bytes.length < headBytes) {
      head.bytes = Buffer.concat([head.bytes, chunk.subarray(0, headBytes - head.bytes.length)]);
    }
    yield chunk;
  }
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function typeOf(head: Buffer): Promise<string | null> {
  // Loaded on demand, since a server without uploads does not need it.
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(head))?.mime ?? null;
}

const typeNames: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
};

/** "JPG, PNG", as the console shows it before anything is sent. */
function namesOf(types: readonly string[], { language }: Caller): string {
  return types.map((type) => typeNames[type] ?? type).join(say(language, 'list.comma'));
}
