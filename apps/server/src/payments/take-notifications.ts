import { paymentChannels } from '@voltdeck/contract/payment-channels';
import { minuteMs } from '@voltdeck/units/instant';
import type { FastifyInstance } from 'fastify';
import { notificationsPath } from '../channels/notifications-address.ts';
import { takeNotification } from '../channels/take-notification.ts';
import { UnbelievedLimit } from '../channels/unbelieved-limit.ts';
import type { Context } from '../context.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { sendRefusal } from '../http/refusal.ts';
import { refuseUnknownAddress } from '../http/refuse-requests.ts';
import { remoteAddressOf } from '../http/remote-address.ts';
import { languageOf } from '../http/say.ts';
import { networkOf } from '../limits/remote-networks.ts';
import { channelRoomOf } from './channel-outcomes.ts';

export const notificationLimits = {
  /** Those of real channels have a few kilobytes. */
  bodyBytes: 65_536,
  /** Per network: a channel sends from several addresses, a stranger costs us a verification each time. */
  perMinute: 600,
} as const;

/**
 * The address to which payment channels send what happened. Not in the API's contract: the channels say what body and
 * answer are, and signatures are over the body as it came.
 */
export async function takeNotifications(app: FastifyInstance, context: Context): Promise<void> {
  const room = channelRoomOf(context.on('money'));
  const limit = new RateLimit({ max: notificationLimits.perMinute, windowMs: minuteMs });
  const unbelieved = new UnbelievedLimit(context.log);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: notificationLimits.bodyBytes }, (_, body, done) =>
      done(null, body),
    );
    scope.post<{ Params: { channel: string } }>(notificationsPath(':channel'), async (request, reply) => {
      const channel = paymentChannels.find((name) => name === request.params.channel);
      const remoteAddress = remoteAddressOf(request);
      const at = context.now();
      const seconds = limit.secondsToWait(networkOf(remoteAddress), at);
      if (seconds > 0) {
        return sendRefusal(reply, { code: 'request.too_many', params: { seconds } }, languageOf(request.headers));
      }
      const answer =
        channel === undefined
          ? null
          : await takeNotification(
              room,
              {
                channel,
                headers: request.headers,
                rawBody: typeof request.body === 'string' ? request.body : '',
                remoteAddress,
              },
              at,
              unbelieved,
            );
      if (answer === null) return refuseUnknownAddress(request, reply);
      return reply.code(answer.status).type(answer.contentType).send(answer.body);
    });
  });
}
