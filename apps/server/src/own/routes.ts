import * as contract from '@voltdeck/contract/own';
import * as roaming from '@voltdeck/contract/own-roaming';
import type { InvoiceId, OrderId, RoamingChargeId, WithdrawalId } from '@voltdeck/units/id';
import { dayMs, isoOrNull } from '@voltdeck/units/instant';
import { failed, ok } from '@voltdeck/units/result';
import { sendSmsCode } from '../access/send-sms-code.ts';
import { admission } from '../access/sign-in-routes.ts';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import type { CustomerSessions } from '../caller/customer-sessions.ts';
import { askForCode, renewPageToken } from '../channels/begin-payment.ts';
import type { PaymentId } from '../channels/channel-room.ts';
import type { Context } from '../context.ts';
import { applyToGroup, triedGroupsPerDayMax } from '../groups/apply-to-group.ts';
import { leaveGroup } from '../groups/release-member.ts';
import type { Binder, Origin } from '../http/bind.ts';
import type { CustomerTurns } from '../http/customer-turns.ts';
import { found } from '../http/found.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { PartnerCaller } from '../interop/deliver/partner-caller.ts';
import { startRoaming } from '../interop/roaming/start-roaming.ts';
import { stopRoaming } from '../interop/roaming/stop-roaming.ts';
import { addTitle, findTitles } from '../invoices/titles.ts';
import { findDocument } from '../invoices/work-invoice.ts';
import { networkOf } from '../limits/remote-networks.ts';
import { findChargePayer } from '../orders/find-charge-payer.ts';
import { stopOrder } from '../orders/stop-order.ts';
import { channelRoomOf } from '../payments/channel-outcomes.ts';
import { findShownPromotions } from '../payments/promotions/choose-promotion.ts';
import type { SmsSender } from '../sms/sms-sender.ts';
import { takenVehiclesPerDayMax } from '../vehicles/check-vehicle.ts';
import { findOwnCards, reportLost } from './cards.ts';
import { createOwnFeedback, findOwnFeedbacks } from './feedbacks.ts';
import { findPort, findScannedPort } from './find-connector.ts';
import { findStations } from './find-stations.ts';
import { findOwnGroup } from './group.ts';
import {
  applyForOwnInvoice,
  deleteOwnTitle,
  findOwnInvoice,
  findOwnInvoiceOrders,
  findOwnInvoiceRow,
  findOwnInvoices,
} from './invoices.ts';
import { findOwnBalance, findOwnMovements } from './money.ts';
import { findOwnOrder, findOwnOrders } from './orders.ts';
import type { OwnStreams } from './own-streams.ts';
import { beginOwnRecharge, findOwnRecharge } from './recharges.ts';
import { findOwnRoamingCharge, findOwnRoamingCharges, findPartnerPort, findPartnerSites } from './roaming-charges.ts';
import { signIn } from './sign-in.ts';
import { startOwnCharge } from './start-own-charge.ts';
import { addOwnVehicle, deleteOwnVehicle, findOwnVehicles } from './vehicles.ts';
import { applyForOwn, findOwnTerms, findOwnWithdrawal, findOwnWithdrawals } from './withdrawals.ts';

/** Calls per network and minute, so that nobody guesses codes or triggers messages by the thousand. */
const callsPerMinuteMax = { code: 60, session: 120 } as const;

type Parts = { sessions: CustomerSessions; turns: CustomerTurns; streams: OwnStreams; sms: SmsSender };

/** The customers' own API. */
export function bindCustomersOwn(
  binder: Binder,
  context: Context<'console'>,
  { sessions, turns, streams, sms }: Parts,
): void {
  const { bindOwn, bindOwnStream, bindPublic } = binder;
  const { db } = context.database;

  bindPublic(
    contract.sendOwnCode,
    ({ body, origin, at }) => sendSmsCode(context, sms, 'sign_in', body, origin.remoteAddress, at),
    admission(callsPerMinuteMax.code),
  );
  bindPublic(
    contract.openOwnSession,
    ({ body, origin, at }) => signIn(db, sessions, body, origin, at),
    admission(callsPerMinuteMax.session),
  );
  bindOwn(contract.endOwnSession, async ({ token, at }) => {
    await sessions.endOne(token, at);
    return ok(null);
  });
  bindOwn(contract.getOwnProfile, async ({ caller: { customerId: id, phone, nickname, createdAt } }) =>
    ok({ id, phone, nickname, createdAt }),
  );

  bindOwn(contract.getOwnBalance, async ({ caller }) => ok(await findOwnBalance(db, caller)));
  bindOwn(contract.listOwnMovements, async ({ caller, query }) => ok(await findOwnMovements(db, caller, query)));

  bindPlaces(binder, context, turns);

  const orderOf = async (caller: CustomerCaller, id: OrderId) =>
    found(await findOwnOrder(db, caller, id, context.now()));
  bindOwn(contract.listOwnOrders, async ({ caller, query }) => ok(await findOwnOrders(db, caller, query)));
  bindOwn(contract.getOwnOrder, ({ caller, params }) => orderOf(caller, params.id));
  bindOwn(contract.getOwnChargePayer, async ({ caller, params, at }) => {
    const port = await findPort(db, params.qr);
    if (port === null) return failed({ code: 'record.not_found' });
    const charge = { connectorId: port.id, customerId: caller.customerId };
    return found(await findChargePayer(db, charge, caller.language, at));
  });
  bindOwn(
    contract.placeOwnOrder,
    async ({ caller, body, transact }) => {
      const placed = await startOwnCharge(context.on('money'), caller, body, transact);
      return placed.ok ? orderOf(caller, placed.value.orderId) : placed;
    },
    { replay: (recordId, { caller }) => orderOf(caller, recordId as OrderId) },
  );
  bindOwn(contract.stopOwnOrder, ({ caller, params }) =>
    stopOrder(context.on('money'), caller, caller.nickname, params.id),
  );
  bindOwnStream(contract.streamOwnEvents, async (call, reply) => streams.open(call, reply));

  bindRoaming(binder, context);
  bindRecharges(binder, context);
  bindWithdrawals(binder, context);
  bindInvoices(binder, context);

  bindOwn(contract.listOwnCards, async ({ caller }) => ok({ items: await findOwnCards(db, caller) }));
  bindOwn(contract.reportOwnCardLost, ({ caller, params, at, transact }) =>
    transact((trx) => reportLost(trx, caller, params.id, at)),
  );
  const tried = new RateLimit({ max: triedGroupsPerDayMax, windowMs: dayMs });
  bindOwn(contract.getOwnGroup, async ({ caller, at }) => ok(await findOwnGroup(db, caller, at)));
  bindOwn(contract.applyToGroup, ({ caller, body, at, transact }) =>
    transact(async (trx) => {
      const applied = await applyToGroup(trx, tried, { caller, who: caller }, body, at);
      return applied.ok ? found(await findOwnGroup(trx, caller, at)) : applied;
    }),
  );
  bindOwn(contract.leaveOwnGroup, ({ caller, at, transact }) =>
    transact(async (trx) => {
      const left = await leaveGroup(trx, caller, caller.customerId, at);
      return left.ok ? ok(null) : left;
    }),
  );
  const taken = new RateLimit({ max: takenVehiclesPerDayMax, windowMs: dayMs });
  bindOwn(contract.listOwnVehicles, async ({ caller }) => ok({ items: await findOwnVehicles(db, caller) }));
  bindOwn(contract.addOwnVehicle, ({ caller, body, at, transact }) =>
    transact((trx) => addOwnVehicle(trx, taken, caller, body, at)),
  );
  bindOwn(contract.deleteOwnVehicle, ({ caller, params, at, transact }) =>
    transact((trx) => deleteOwnVehicle(trx, caller, params.id, at)),
  );
  bindOwn(contract.listOwnFeedbacks, async ({ caller, query }) => ok(await findOwnFeedbacks(db, caller, query)));
  bindOwn(contract.createOwnFeedback, ({ caller, body, at, transact }) =>
    transact((trx) => createOwnFeedback(trx, caller, body, at)),
  );
}

/** What anybody may read before signing in: networks take turns at it. */
function bindPlaces({ bindPublic }: Binder, context: Context<'console'>, turns: CustomerTurns): void {
  const { db } = context.database;
  const admit = ({ origin, at }: { origin: Origin; at: Parameters<CustomerTurns['countNetwork']>[1] }) =>
    turns.countNetwork(origin.remoteAddress, at);
  const askerOf = ({ remoteAddress }: Origin) => `network ${networkOf(remoteAddress)}`;
  bindPublic(
    contract.listStationsNear,
    ({ query, origin, at }) =>
      turns.inTurn(contract.listStationsNear, askerOf(origin), null, async () =>
        ok({ items: await findStations(db, query, at) }),
      ),
    admit,
  );
  bindPublic(
    contract.getScannedPort,
    ({ params, origin, at }) =>
      turns.inTurn(contract.getScannedPort, askerOf(origin), null, async () =>
        found(await findScannedPort(db, params.qr, at)),
      ),
    admit,
  );
  bindPublic(contract.listOpenChannels, async () => ok({ channels: [...context.channels.byName.keys()] }), admit);
}

/** Charges at the stations of other operators. */
function bindRoaming({ bindOwn }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const calls = new PartnerCaller(context);
  const answer = async (caller: CustomerCaller, id: RoamingChargeId) =>
    found(await findOwnRoamingCharge(db, caller, id));
  bindOwn(roaming.listPartnerSitesNear, async ({ query }) => ok({ items: await findPartnerSites(db, query) }));
  bindOwn(roaming.askPartnerPort, ({ params }) => findPartnerPort(context, calls, params.id));
  bindOwn(
    roaming.startOwnRoamingCharge,
    async ({ caller, body, transact }) => {
      const started = await startRoaming(context, calls, caller, body, transact);
      return started.ok ? answer(caller, started.value) : started;
    },
    { replay: (recordId, { caller }) => answer(caller, recordId as RoamingChargeId) },
  );
  bindOwn(roaming.listOwnRoamingCharges, async ({ caller, query }) =>
    ok(await findOwnRoamingCharges(db, caller, query)),
  );
  bindOwn(roaming.getOwnRoamingCharge, ({ caller, params }) => answer(caller, params.id));
  bindOwn(roaming.stopOwnRoamingCharge, async ({ caller, params }) => {
    const own = await answer(caller, params.id);
    return own.ok ? stopRoaming(context, calls, params.id, caller) : own;
  });
}

function bindRecharges({ bindOwn }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const room = channelRoomOf(context.on('money'));
  const pageUrlOf = (token: string, origin: Origin) =>
    `${context.channels.publicUrl ?? `${origin.secure ? 'https' : 'http'}://${origin.host}`}/pay/${token}`;
  /** Asks for the code, also in answer to a retry: the channel gives the same one for the same number. */
  const codeOf = async (caller: CustomerCaller, id: PaymentId, pageUrl: string) => {
    const asked = await askForCode(room, id, pageUrl);
    if (!asked.ok) return asked;
    const recharge = await findOwnRecharge(db, caller, id);
    return recharge === null ? failed({ code: 'record.not_found' as const }) : ok({ ...recharge, pageUrl });
  };
  bindOwn(contract.listOwnPromotions, async ({ caller, at }) => {
    const shown = await findShownPromotions(db, caller.customerId, at);
    return ok({ items: shown.map((promotion) => ({ ...promotion, to: isoOrNull(promotion.to) })) });
  });
  bindOwn(
    contract.createOwnRecharge,
    async ({ caller, body, at, origin, transact }) => {
      const begun = await transact((trx) => beginOwnRecharge(trx, caller, context.channels, body, at), {
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
  bindOwn(contract.getOwnRecharge, async ({ caller, params }) => found(await findOwnRecharge(db, caller, params.id)));
}

function bindWithdrawals({ bindOwn }: Binder, context: Context<'console'>): void {
  const { channels } = context;
  const { db } = context.database;
  const answer = async (caller: CustomerCaller, id: WithdrawalId) =>
    found(await findOwnWithdrawal(db, caller, id, context.now()));
  bindOwn(contract.getOwnWithdrawalTerms, async ({ caller }) => ok(await findOwnTerms(db, channels, caller)));
  bindOwn(contract.listOwnWithdrawals, async ({ caller, query, at }) =>
    ok(await findOwnWithdrawals(db, caller, query, at)),
  );
  bindOwn(
    contract.createOwnWithdrawal,
    async ({ caller, body, at, transact }) => {
      const applied = await transact((trx) => applyForOwn(trx, channels, caller, body, at), { recordOf: (id) => id });
      return applied.ok ? answer(caller, applied.value) : applied;
    },
    { replay: (recordId, { caller }) => answer(caller, recordId as WithdrawalId) },
  );
}

function bindInvoices({ bindOwn, bindOwnFile }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const answer = async (caller: CustomerCaller, id: InvoiceId) => found(await findOwnInvoice(db, caller, id));
  bindOwn(contract.listOwnInvoiceOrders, async ({ caller }) => ok(await findOwnInvoiceOrders(db, caller)));
  bindOwn(contract.listOwnInvoices, async ({ caller, query }) => ok(await findOwnInvoices(db, caller, query)));
  bindOwn(
    contract.createOwnInvoice,
    async ({ caller, body, at, transact }) => {
      const applied = await transact((trx) => applyForOwnInvoice(trx, caller, body, at), { recordOf: (id) => id });
      return applied.ok ? answer(caller, applied.value) : applied;
    },
    { replay: (recordId, { caller }) => answer(caller, recordId as InvoiceId) },
  );
  bindOwnFile(contract.getOwnInvoiceDocument, async ({ caller, params }) => {
    const row = found(await findOwnInvoiceRow(db, caller, params.id));
    if (!row.ok) return row;
    const file = await findDocument(context, row.value);
    const content = file === null ? null : await context.files.open(file.key);
    if (file === null || content === null) {
      return failed({ code: 'invoice.no_document', params: { number: row.value.number } });
    }
    return ok({ name: file.name, contentType: 'application/pdf', content });
  });
  bindOwn(contract.listOwnInvoiceTitles, async ({ caller }) => ok({ items: await findTitles(db, caller.customerId) }));
  bindOwn(contract.addOwnInvoiceTitle, ({ caller, body, at, transact }) =>
    transact(async (trx) => {
      const added = await addTitle(trx, caller.customerId, body, at);
      return added.ok ? ok({ items: await findTitles(trx, caller.customerId) }) : added;
    }),
  );
  bindOwn(contract.deleteOwnInvoiceTitle, ({ caller, params, transact }) =>
    transact((trx) => deleteOwnTitle(trx, caller, params.id)),
  );
}
