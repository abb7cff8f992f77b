import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseUnknownAddress } from './refuse-requests.ts';
import { languageOf, say } from './say.ts';

const yearSeconds = 31_536_000;

/** Where the page holds its title. */
const nameOnPage = '<meta name="application-name" content="" />';
const titleOnPage = '<title>Voltdeck</title>';
/** The page does not wait for its name when the database is slow or away. */
const titleTimeoutMs = 1_000;

/**
 * Serves the built console: hashed files cached forever, from their pre-compressed copies; every other path a browser
 * opens is a route of the console and gets the page. Without a build, a plain page says so.
 */
export async function serveConsole(
  app: FastifyInstance,
  consoleDir: string,
  /** The configured application name, so that the page never shows another one first. */
  configuredTitle: () => Promise<string | null>,
): Promise<void> {
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
      globIgnore: ['**/index.html*', '**/charge.html*', '**/*.map', '.vite/**'],
      setHeaders(response, path) {
        // Only files with a content hash in their name never change.
        const isHashed = /[.-][A-Za-z0-9_-]{8,}\.[a-z0-9]+(\.(br|gz))?$/.test(path);
        response.header('cache-control', isHashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache');
      },
    });
  }
  if (isBuilt) {
    // The page of a QR code, whatever stands in the code.
    app.get('/charge/*', async (request, reply) => {
      if (request.url.startsWith('/charge/assets/')) return refuseUnknownAddress(request, reply);
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('content-security-policy', chargePagePolicy)
        .send(await readFile(join(consoleDir, 'charge', 'charge.html'), 'utf8'));
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    if (path === '/api' || path.startsWith('/api/') || !['GET', 'HEAD'].includes(request.method)) {
      return refuseUnknownAddress(request, reply);
    }
    // A missing file is a 404 and never the page, since a browser would take the HTML for a script.
    if (/\.[a-z0-9]+$/i.test(path)) return refuseUnknownAddress(request, reply);
    if (!isBuilt) return sendNotBuilt(request, reply);
    const [page, title] = await Promise.all([
      readFile(indexPath, 'utf8'),
      Promise.race([configuredTitle(), setTimeout(titleTimeoutMs, null, { ref: false })]).catch(() => null),
    ]);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(title === null ? page : named(page, title));
  });
}

/** The page has no styles inside its markup and loads nothing from elsewhere; captchas are `data:` pictures. */
const chargePagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function named(page: string, title: string): string {
  const name = title.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  // A function, because a `$` in the name is special in a replacement string.
  return page
    .replace(nameOnPage, () => nameOnPage.replace('""', () => `"${name}"`))
    .replace(titleOnPage, () => `<title>${name}</title>`);
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
