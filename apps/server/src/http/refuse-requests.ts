import type { ApiError } from '@voltdeck/contract/errors';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway, isOutOfTime, sumsReach } from '../database/is-database-away.ts';
import { sendRefusal, statusOf } from './refusal.ts';
import { languageOf } from './say.ts';

/** Handles every error outside a handler: the same envelope, the caller's language, a truthful status. */
export function refuseRequests(app: FastifyInstance): void {
  // With two Host headers, a proxy in front may have used the other one (RFC 9112, section 3.2).
  app.addHook('onRequest', async (request, reply) => {
    const hosts = request.raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length > 1) return sendRefusal(reply, { code: 'request.malformed' }, languageOf(request.headers));
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = refusalOf(error, request.method);
    if (statusOf(refusal.code) >= 500) {
      request.log.error({ err: error, requestId: request.id }, 'a request failed');
    }
    return sendRefusal(reply, refusal, languageOf(request.headers));
  });
}

/** A path below /api that is not in the contract. */
export function refuseUnknownAddress(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendRefusal(reply, { code: 'request.not_found' }, languageOf(request.headers));
}

/** The refusal for a thrown error. */
export function refusalOf(error: FastifyError, method: string): ApiError {
  if (method === 'GET' && isOutOfTime(error)) return { code: 'request.reads_too_long' };
  const reach = sumsReach(error);
  if (reach !== null) return { code: 'finance.sums_behind', params: { until: reach } };
  if (isDatabaseAway(error)) return { code: 'server.unavailable' };
  if (error.statusCode === 413) return { code: 'request.too_large' };
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return { code: 'request.malformed' };
  }
  return { code: 'server.failed' };
}
