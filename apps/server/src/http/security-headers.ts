import type { FastifyInstance } from 'fastify';

/**
 * The console loads nothing from elsewhere but the tiles of a configured map service, which are pictures. Styles are inline because antd writes its theme as style elements; scripts
 * never are. Pictures: QR codes are data:, exports are blob:.
 */
const contentSecurityPolicy = (pictureOrigins: readonly string[]) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...pictureOrigins].join(' '),
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The same headers on every answer; HSTS only where the connection is encrypted. */
export function addSecurityHeaders(
  app: FastifyInstance,
  options: { encrypted: boolean; pictureOrigins: readonly string[] },
): void {
  const headers: Record<string, string> = {
    'content-security-policy': contentSecurityPolicy(options.pictureOrigins),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(self)',
    ...(options.encrypted ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    // Only the console's own build files may be cached, whatever the path looks like.
    reply.header('cache-control', 'no-store');
  });
}
