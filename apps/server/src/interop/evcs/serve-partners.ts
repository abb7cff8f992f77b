import { envelopeCharsMax, retCodes, sealAnswer } from '@voltdeck/tcec102/envelope';
import { isInterfaceName } from '@voltdeck/tcec102/messages/all';
import { defaultProfile } from '@voltdeck/tcec102/profile';
import { minuteMs } from '@voltdeck/units/instant';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { RateLimit } from '../../http/rate-limit.ts';
import { remoteAddressOf } from '../../http/remote-address.ts';
import { networkOf } from '../../limits/remote-networks.ts';
import { answerPartner } from './answer-partner.ts';

export const partnerLimits = {
  /** What Data of the longest envelope may take in UTF-8; more is read away and refused. */
  bodyBytes: envelopeCharsMax,
  /** Per network: a partner that follows a thousand stations asks some hundred times a minute. */
  perMinute: 6_000,
  /** Requests in a partner's name without its signature that are written down. */
  unprovenPerMinute: 60,
} as const;

const contentType = 'application/json; charset=utf-8';

/**
 * The interfaces of T/CEC 102 under /evcs/{version}/{interface}; partners write many versions, and none is refused. The
 * body is read as text, because signatures are over what came. A refusal is HTTP 200 with a Ret, as the standard says.
 */
export async function servePartners(app: FastifyInstance, context: Context): Promise<void> {
  const money = context.on('money');
  const limit = new RateLimit({ max: partnerLimits.perMinute, windowMs: minuteMs });
  const unproven = new RateLimit({ max: partnerLimits.unprovenPerMinute, windowMs: minuteMs });
  const refusal = (ret: typeof retCodes.busy | typeof retCodes.parameters | typeof retCodes.system, msg: string) =>
    sealAnswer({ keys: null, ret, msg, profile: defaultProfile, operatorId: '' }, null);
  await app.register(async (scope) => {
    // Partners' clients name no type, another one or none that is well-formed: what they send is JSON or refused as such.
    scope.addHook('onRequest', async ({ raw }) => {
      raw.headers['content-type'] = 'application/json';
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: partnerLimits.bodyBytes }, (_, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error: { statusCode?: number }, request, reply) => {
      const isOurs = (error.statusCode ?? 500) >= 500;
      if (isOurs) request.log.error({ err: error }, 'partner: a request failed');
      const text = isOurs ? refusal(retCodes.system, 'system error') : refusal(retCodes.parameters, 'size');
      return reply.code(200).type(contentType).send(text);
    });
    scope.post<{ Params: { version: string; interface: string } }>(
      '/evcs/:version/:interface',
      async (request, reply) => {
        const address = remoteAddressOf(request);
        const at = context.now();
        reply.type(contentType);
        if (limit.secondsToWait(networkOf(address), at) > 0) return reply.send(refusal(retCodes.busy, 'busy'));
        const interfaceName = request.params.interface;
        if (!isInterfaceName(interfaceName)) return reply.send(refusal(retCodes.parameters, 'interface'));
        const body = typeof request.body === 'string' ? request.body : '';
        const { authorization } = request.headers;
        return reply.send(await answerPartner(money, unproven, { interfaceName, body, authorization, address }, at));
      },
    );
  });
}
