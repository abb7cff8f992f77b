import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseUnknownAddress } from './refuse-requests.ts';
import { languageOf, say } from './say.ts';

const yearSeconds = 31_536_000;

/**
 * The built console: hashed files for ever, from their pre-compressed twins; every other address that a browser opens is
 * one of the console's own routes and gets its page. Without a build a plain page says so.
 */
export async function serveConsole(app: FastifyInstance, consoleDir: string): Promise<void> {
  const indexPath = join(consoleDir, 'index.html');
  const isBuilt = existsSync(indexPath);
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: consoleDir,
      prefix: '/',
      wildcard: false,
      index: false,
      preCompressed: true,
      decorateReply: false,
      cacheControl: false,
      globIgnore: ['**/index.html*', '**/*.map', '.vite/**'],
      setHeaders(response, path) {
        // Only names with a content hash in them never change their content.
        const isHashed = /[.-][A-Za-z0-9_-]{8,}\.[a-z0-9]+(\.(br|gz))?$/.test(path);
        response.header('cache-control', isHashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    if (path === '/api' || path.startsWith('/api/') || !['GET', 'HEAD'].includes(request.method)) {
      return refuseUnknownAddress(request, reply);
    }
    // A file that is not there is a 404, never the page: a browser would take HTML for a script.
    if (/\.[a-z0-9]+$/i.test(path)) return refuseUnknownAddress(request, reply);
    if (!isBuilt) return sendNotBuilt(request, reply);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readFile(indexPath));
  });
}

function sendNotBuilt(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageOf(request.headers);
  return reply
    .code(503)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Voltdeck</title><p>${say('zh-CN', 'console.notBuilt')}</p><p lang="en">${say('en', 'console.notBuilt')}</p></html>`,
    );
}
