import { isValidSeq, orderDueMs, pollAfterMs, resultDueMs, startChargeSeqChars } from '@voltdeck/tcec102/conversation';
import { retCodes } from '@voltdeck/tcec102/envelope';
import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import { connectorStatusInfoOf, orderCheckRequest, orderOf } from '@voltdeck/tcec102/translate';
import { hourMs, instant, secondMs } from '@voltdeck/units/instant';
import { addFen, fen } from '@voltdeck/units/money';
import { type Check, expectAll, expectRet, failedAt, notRun, passed, type Trial, type Verdict } from './check.ts';
import type { AnswerFault } from './entrance.ts';
import { envelopeChecks, type Probe, tokenChecks } from './envelope-checks.ts';
import type { InventedCharge } from './invented-charge.ts';
import type { OperatorSide, Told } from './operator-side.ts';

/** What makes an order another one: so many fen more. */
const changedByFen = fen(123);

/** The checks of a server whose customers charge at others' stations, made by an operator of stations. */
export function operatorChecks(side: OperatorSide): readonly Check[] {
  const [port] = side.ports;
  const probe: Probe = {
    name: 'notification_stationStatus',
    request: () => ({ ConnectorStatusInfo: connectorStatusInfoOf(side.portState(port?.id ?? '')) }),
    numberIn: /(?<="Status":)\d+/,
    needed: { name: 'notification_stationStatus', body: '{"ConnectorStatusInfo":{"Status":1}}' },
  };
  return [
    ...tokenChecks(probe),
    ...pullChecks(side),
    ...toldChecks(side),
    ...orderChecks(side),
    ...envelopeChecks(probe),
    ...startFaultChecks(side),
  ];
}

function pullChecks(side: OperatorSide): readonly Check[] {
  return [
    {
      id: 'pull.token',
      async run(trial) {
        const heard = await trial.hear('query_token', () => true, waitMsOf(trial));
        if (heard === null) return notRun('not-asked');
        return expectAll(['SuccStat 0', heard.exchange.answer.includes('"SuccStat":0'), heard.exchange.answer]);
      },
    },
    {
      id: 'pull.stations',
      async run(trial) {
        const pages = new Set<number>();
        let pageSize = 1;
        const heard = await trial.hear(
          'query_stations_info',
          ({ PageNo = 1, PageSize = 10 }) => {
            pages.add(PageNo);
            pageSize = PageSize;
            return pages.size >= Math.ceil(side.sites.length / PageSize);
          },
          waitMsOf(trial),
        );
        if (heard !== null) return passed;
        return pages.size === 0
          ? notRun('not-asked')
          : failedAt(`PageNo 1 – ${Math.ceil(side.sites.length / pageSize)}`, [...pages]);
      },
    },
    {
      id: 'pull.status',
      async run(trial) {
        const heard = await trial.hear('query_station_status', () => true, waitMsOf(trial));
        return heard === null ? notRun('not-asked') : passed;
      },
    },
    {
      id: 'told.status',
      async run(trial) {
        const [port] = side.ports;
        if (port === undefined) return notRun('no-port');
        const ConnectorStatusInfo = connectorStatusInfoOf(side.portState(port.id));
        const reply = await trial.call('notification_stationStatus', { ConnectorStatusInfo });
        return reply.answer === null ? expectRet(reply, retCodes.success) : passed;
      },
    },
  ];
}

function waitMsOf({ settings }: Trial): number {
  return settings.waitSeconds * secondMs;
}

/** The latest charge that the tested server began; waits for one. */
async function chargeOf(trial: Trial, side: OperatorSide): Promise<InventedCharge | null> {
  await trial.wait(() => side.charges.size > 0, waitMsOf(trial));
  return [...side.charges.values()].at(-1) ?? null;
}

/** What the tested server answered to a notification of a charge. */
function toldOf<Name extends InterfaceName>(side: OperatorSide, name: Name, sequence: string): Told | null {
  return side.told.find((told) => told.name === name && told.sequence === sequence) ?? null;
}

/** A check of how a notification was answered. */
function answered<Name extends InterfaceName>(
  side: OperatorSide,
  {
    id,
    name,
    withinMs,
    isFine,
  }: {
    id: Check['id'];
    name: Name;
    withinMs: number;
    isFine: (answer: Message<Name, 'answer'>, charge: InventedCharge) => Verdict;
  },
): Check {
  return {
    id,
    async run(trial) {
      const charge = await chargeOf(trial, side);
      if (charge === null) return notRun('not-asked');
      await trial.wait(() => toldOf(side, name, charge.sequence) !== null, withinMs);
      const told = toldOf(side, name, charge.sequence);
      // A charge that nobody stopped has no end to tell.
      if (told === null) return notRun('not-asked');
      trial.show(told.reply.exchange);
      const answer = told.reply.answer as Message<Name, 'answer'> | null;
      return answer === null ? expectRet(told.reply, retCodes.success) : isFine(answer, charge);
    },
  };
}

function received(answer: { SuccStat: number; StartChargeSeq: string }, charge: InventedCharge): Verdict {
  return expectAll(
    [`StartChargeSeq ${charge.sequence}`, answer.StartChargeSeq === charge.sequence, answer.StartChargeSeq],
    ['SuccStat 0', answer.SuccStat === 0, `SuccStat ${answer.SuccStat}`],
  );
}

function toldChecks(side: OperatorSide): readonly Check[] {
  return [
    {
      id: 'told.start',
      async run(trial) {
        const heard = await trial.hear('query_start_charge', () => true, waitMsOf(trial));
        if (heard === null) return notRun('not-asked');
        const { StartChargeSeq } = heard.asked;
        const { theirOperatorId } = trial.settings;
        return expectAll([
          `StartChargeSeq ${theirOperatorId} + ${startChargeSeqChars - theirOperatorId.length}`,
          isValidSeq(StartChargeSeq, theirOperatorId),
          StartChargeSeq,
        ]);
      },
    },
    answered(side, {
      id: 'told.start-result',
      name: 'notification_start_charge_result',
      withinMs: resultDueMs,
      isFine: received,
    }),
    answered(side, {
      id: 'told.status-push',
      name: 'notification_equip_charge_status',
      withinMs: pollAfterMs.push,
      isFine: received,
    }),
    {
      id: 'told.stop',
      async run(trial) {
        if (side.charges.size === 0) return notRun('not-asked');
        const heard = await trial.hear('query_stop_charge', () => true, waitMsOf(trial));
        if (heard === null) return notRun('not-asked');
        return expectAll(['StartChargeSeq', side.charges.has(heard.asked.StartChargeSeq), heard.asked.StartChargeSeq]);
      },
    },
    answered(side, {
      id: 'told.stop-result',
      name: 'notification_stop_charge_result',
      withinMs: resultDueMs,
      isFine: received,
    }),
    answered(side, {
      id: 'told.order',
      name: 'notification_charge_order_info',
      withinMs: orderDueMs,
      isFine: ({ StartChargeSeq, ConfirmResult }, charge) =>
        expectAll(
          [`StartChargeSeq ${charge.sequence}`, StartChargeSeq === charge.sequence, StartChargeSeq],
          ['ConfirmResult 0', ConfirmResult === 0, `ConfirmResult ${ConfirmResult}`],
        ),
    }),
  ];
}

/** A charge whose order was confirmed; null before there is one. */
async function confirmedCharge(trial: Trial, side: OperatorSide): Promise<InventedCharge | null> {
  const find = () =>
    [...side.charges.values()].find(
      ({ sequence, stage }) =>
        stage === 'ended' &&
        side.told.some(
          (told) =>
            told.name === 'notification_charge_order_info' && told.sequence === sequence && told.reply.answer !== null,
        ),
    ) ?? null;
  await trial.wait(() => find() !== null, waitMsOf(trial));
  return find();
}

function orderChecks(side: OperatorSide): readonly Check[] {
  /** Tells an order, and expects a ConfirmResult. */
  const confirms = (
    id: Check['id'],
    change: (order: Message<'notification_charge_order_info', 'request'>, trial: Trial) => typeof order,
    isFine: (confirmResult: number) => boolean,
    expected: string,
  ): Check => ({
    id,
    async run(trial) {
      const charge = await confirmedCharge(trial, side);
      if (charge === null) return notRun('no-order');
      const reply = await trial.call('notification_charge_order_info', change(side.orderOf(charge), trial));
      if (reply.answer === null) return expectRet(reply, retCodes.success);
      const { ConfirmResult } = reply.answer;
      return expectAll([expected, isFine(ConfirmResult), `ConfirmResult ${ConfirmResult}`]);
    },
  });
  const compares = (id: Check['id'], disputeReason: number | null): Check => ({
    id,
    async run(trial) {
      const charge = await confirmedCharge(trial, side);
      if (charge === null) return notRun('no-order');
      const order = orderOf(side.orderOf(charge));
      const total = { sequence: charge.sequence, energyWh: order.energyWh, amountFen: order.amountFen };
      const orders =
        disputeReason === 1
          ? [total, { ...total, sequence: `${trial.settings.theirOperatorId}${trial.nextSequence().slice(9)}` }]
          : [disputeReason === 2 ? { ...total, amountFen: addFen(total.amountFen, changedByFen) } : total];
      // Other charges of this day are of other tests, and none of this list.
      const day = { from: instant((charge.endedAt ?? charge.startedAt) - hourMs), to: instant(trial.now() + secondMs) };
      const request = orderCheckRequest({ sequence: trial.nextSequence(), ...day, orders }, trial.settings.profile);
      const reply = await trial.call('check_charge_orders', request);
      if (reply.answer === null) return expectRet(reply, retCodes.success);
      const { CheckOrderSeq, DisputeOrders } = reply.answer;
      const disputed = orders.at(-1)?.sequence ?? '';
      const ours = DisputeOrders.filter(({ StartChargeSeq }) =>
        orders.some(({ sequence }) => sequence === StartChargeSeq),
      );
      return expectAll(
        [`CheckOrderSeq ${request.CheckOrderSeq}`, CheckOrderSeq === request.CheckOrderSeq, CheckOrderSeq],
        disputeReason === null
          ? ['DisputeOrders []', ours.length === 0, DisputeOrders]
          : [
              `DisputeOrders [${disputed}: DisputeReason ${disputeReason}]`,
              ours.length === 1 && ours[0]?.StartChargeSeq === disputed && ours[0].DisputeReason === disputeReason,
              DisputeOrders,
            ],
      );
    },
  });
  return [
    confirms(
      'told.order-again',
      (order) => order,
      (result) => result === 0,
      'ConfirmResult 0',
    ),
    confirms(
      'told.order-changed',
      (order) => ({
        ...order,
        TotalMoney: addFen(order.TotalMoney, changedByFen),
        TotalServiceMoney: addFen(order.TotalServiceMoney ?? fen(0), changedByFen),
        SumPeriod: 0,
        ChargeDetails: [],
      }),
      (result) => result > 0,
      'ConfirmResult 1 – 99',
    ),
    confirms(
      'told.order-unknown',
      (order, trial) => ({
        ...order,
        StartChargeSeq: `${trial.settings.theirOperatorId}${trial.nextSequence().slice(9)}`,
      }),
      (result) => result > 0,
      'ConfirmResult 1 – 99',
    ),
    {
      id: 'told.order-first',
      async run(trial) {
        if (!trial.settings.isOrderFirst) return notRun('not-chosen');
        const charge = await confirmedCharge(trial, side);
        if (charge === null) return notRun('no-order');
        await trial.wait(() => toldOf(side, 'notification_stop_charge_result', charge.sequence) !== null, resultDueMs);
        const told = toldOf(side, 'notification_stop_charge_result', charge.sequence);
        if (told === null) return notRun('not-asked');
        trial.show(told.reply.exchange);
        return expectRet(told.reply, retCodes.success);
      },
    },
    compares('told.day', null),
    compares('told.day-unknown', 1),
    compares('told.day-amount', 2),
  ];
}

/** How long a start that is sent again is waited for, and how long the question what became of it. */
const againWithinMs = 5 * secondMs;
const askedWithinMs = 3 * pollAfterMs.start;

/** A start whose answer does not arrive: what became of it is asked for or heard, and it is not sent again. */
function startFaultChecks(side: OperatorSide): readonly Check[] {
  const after = (id: Check['id'], fault: AnswerFault): Check => ({
    id,
    isSlow: true,
    async run(trial) {
      trial.entrance.misbehave('query_start_charge', fault);
      try {
        const start = await trial.hear('query_start_charge', (_, heard) => heard.fault === fault, waitMsOf(trial));
        if (start === null) return notRun('not-asked');
        const sequence = start.asked.StartChargeSeq;
        const isSame = ({ StartChargeSeq }: { StartChargeSeq: string }) => StartChargeSeq === sequence;
        const again = await trial.hear(
          'query_start_charge',
          (asked, { exchange }) => isSame(asked) && exchange.number !== start.exchange.number,
          againWithinMs,
        );
        const result = toldOf(side, 'notification_start_charge_result', sequence)?.reply.answer;
        const isAccepted = (result as { SuccStat?: number } | null | undefined)?.SuccStat === 0;
        const isKnown = isAccepted || (await trial.hear('query_equip_charge_status', isSame, askedWithinMs)) !== null;
        return expectAll(
          ['1 × query_start_charge', again === null, `2 × ${sequence}`],
          ['query_equip_charge_status / SuccStat 0', isKnown, 'nothing'],
        );
      } finally {
        trial.entrance.behave('query_start_charge');
      }
    },
  });
  return [
    after('start.answer-silence', 'silence'),
    after('start.answer-cut', 'cut-in-answer'),
    after('start.answer-500', 'http-500'),
    after('start.answer-slow', 'slow'),
  ];
}
