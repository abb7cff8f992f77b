import { sendBackPayment as sendBackRoute } from '@voltdeck/contract/channel-payments';
import type { ApiError } from '@voltdeck/contract/errors';
import * as contract from '@voltdeck/contract/recharge-codes';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { askForCode, renewPageToken } from '../channels/begin-payment.ts';
import type { PaymentId } from '../channels/channel-room.ts';
import { actAsPayer } from '../channels/embedded/act-as-payer.ts';
import type { Context } from '../context.ts';
import { transact } from '../database/transact.ts';
import type { Binder, Origin } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { channelRoomOf } from './channel-outcomes.ts';
import { findChannelPayment } from './channel-payments/queries.ts';
import { sendBackPayment } from './channel-payments/send-back.ts';
import { createRechargeCode } from './create-recharge-code.ts';
import type { PaymentPageLimit } from './payment-page-limit.ts';
import { findPaymentByToken, findRechargeCode } from './recharge-code-queries.ts';

export function bindRechargeCodes(
  { bind, bindPublic }: Binder,
  context: Context<'console'>,
  pages: PaymentPageLimit,
): void {
  const { db } = context.database;
  const room = channelRoomOf(context.on('money'));
  const admitPage = ({ origin, at }: { origin: Origin; at: Instant }): Result<null, ApiError> => {
    const seconds = pages.secondsToWait(origin.remoteAddress, at);
    return seconds === 0 ? ok(null) : failed({ code: 'request.too_many', params: { seconds } });
  };
  const pageUrlOf = (token: string, origin: Origin) =>
    `${context.channels.publicUrl ?? `${origin.secure ? 'https' : 'http'}://${origin.host}`}/pay/${token}`;

  /** Asks for the code, also in answer to a retry: the channel gives the same one for the same number. */
  const codeOf = async (caller: Caller, id: PaymentId, pageUrl: string) => {
    const asked = await askForCode(room, id, pageUrl);
    if (!asked.ok) return asked;
    const code = await findRechargeCode(db, caller, id);
    return code === null ? failed({ code: 'record.not_found' as const }) : ok({ ...code, pageUrl });
  };

  bind(contract.listPaymentChannels, async () => ok({ channels: [...context.channels.byName.keys()] }));
  bind(
    contract.createRechargeCode,
    async ({ caller, body, at, origin, transact }) => {
      const begun = await transact((trx) => createRechargeCode(trx, caller, context.channels, body, at), {
        recordOf: ({ id }) => id,
      });
      return begun.ok ? codeOf(caller, begun.value.id, pageUrlOf(begun.value.pageToken, origin)) : begun;
    },
    {
      // The first address may have been lost with the first answer, and only its hash is kept.
      async replay(recordId, { caller, origin }) {
        const id = recordId as PaymentId;
        return codeOf(caller, id, pageUrlOf(await renewPageToken(room.db, id), origin));
      },
    },
  );
  bind(contract.getRechargeCode, async ({ caller, params }) => found(await findRechargeCode(db, caller, params.id)));
  bind(
    sendBackRoute,
    async ({ caller, params, body, at, transact }) => {
      const sent = await transact((trx) => sendBackPayment(trx, context.channels, caller, params.id, body, at), {
        recordOf: (id) => id,
      });
      return sent.ok ? found(await findChannelPayment(db, caller, sent.value)) : sent;
    },
    { replay: async (recordId, { caller }) => found(await findChannelPayment(db, caller, recordId as PaymentId)) },
  );
  bindPublic(
    contract.getPayment,
    async ({ params }) => {
      const payment = await findPaymentByToken(db, params.token);
      if (payment === undefined) return failed({ code: 'record.not_found' });
      const { id: _, expiresAt, paidAt, ...shown } = payment;
      return ok({ ...shown, expiresAt: toIso(expiresAt), paidAt: isoOrNull(paidAt) });
    },
    admitPage,
  );
  bindPublic(
    contract.actAsPayer,
    async ({ params, body, at }) => {
      const payment = await findPaymentByToken(db, params.token);
      if (payment === undefined) return failed({ code: 'record.not_found' });
      if (payment.channel !== 'embedded' || context.channels.embedded === null) return failed({ code: 'channel.off' });
      return transact(room.db, (trx) => actAsPayer(trx, payment.number, body.act, at));
    },
    admitPage,
  );
}
