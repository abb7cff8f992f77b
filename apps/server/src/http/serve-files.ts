import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { isFileKey } from '../files/file-store.ts';
import { publicFilesPath } from '../files/file-url.ts';
import { refuseUnknownAddress } from './refuse-requests.ts';

const yearSeconds = 31_536_000;
/** Only these purposes are public, whatever a file's row says. */
const shownTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

/**
 * Serves public pictures to anyone with the address, since apps show them too. A private file, a non-picture and a
 * missing one are all the same 404.
 */
export function serveFiles(app: FastifyInstance, { database, files }: Context): void {
  app.get<{ Params: { key: string } }>(`${publicFilesPath}/:key/*`, async (request, reply) => {
    const { key } = request.params;
    const file = isFileKey(key)
      ? await database.db
          .selectFrom('files')
          .select(['name', 'content_type', 'size_bytes', 'sha256'])
          .where('key', '=', key)
          .where('public', '=', true)
          .executeTakeFirst()
      : undefined;
    if (file === undefined || !shownTypes.has(file.content_type)) return refuseUnknownAddress(request, reply);
    const tag = `"${file.sha256.toString('base64url')}"`;
    reply.headers({
      etag: tag,
      // A key always names the same bytes.
      'cache-control': `public, max-age=${yearSeconds}, immutable`,
      'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      // Opened as a page, it can be nothing but a picture; every answer has the other headers.
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    const content = await files.open(key);
    if (content === null) return refuseUnknownAddress(request, reply);
    return reply.type(file.content_type).header('content-length', String(file.size_bytes)).send(content);
  });
}
