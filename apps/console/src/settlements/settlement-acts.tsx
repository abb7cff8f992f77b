import {
  closeSettlementPeriods,
  getSettlementPdf,
  getSettlementPeriod,
  payOutSettlementPeriods,
  type SettlementPeriod,
  settledMax,
} from '@voltdeck/contract/settlements';
import { addFen, type Fen, zeroFen } from '@voltdeck/units/money';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { countText, moneyText } from '../ui/figures.ts';
import { auditOf } from '../ui/list/usual-acts.ts';
import type { ActOutcome, Acts } from '../ui/list-page.ts';
import { changingTerms } from './terms-act.tsx';

const changes = [getSettlementPeriod];
const namesOf = ({ partyName, fromOn, toOn }: SettlementPeriod) => ({ party: partyName, from: fromOn, to: toOn });

function whyNotClose({ state, hasEnded }: SettlementPeriod): string | undefined {
  if (state !== 'open') return phrase('settlements.whyNotOpen');
  return hasEnded ? undefined : phrase('settlements.whyNotEnded');
}

const whyNotPayOut = ({ state }: SettlementPeriod) =>
  state === 'closed' ? undefined : phrase('settlements.whyNotClosed');

/** The first reason against any of them. */
const whyNotAny = (whyNot: typeof whyNotClose) => (rows: readonly SettlementPeriod[]) =>
  rows.length > settledMax
    ? phrase('settlements.tooMany', { max: settledMax })
    : rows.map(whyNot).find((why) => why !== undefined);

/** What of a period's net is money: nothing of one that came to less. */
const payable = ({ netFen }: SettlementPeriod): Fen => (netFen !== null && netFen > 0 ? netFen : zeroFen);

/** Settles periods, and warns of those that were skipped. */
async function settle(
  route: typeof closeSettlementPeriods | typeof payOutSettlementPeriods,
  periods: readonly SettlementPeriod[],
  idempotencyKey: string,
  told: (done: number) => string | Promise<string>,
): Promise<ActOutcome> {
  const { done, skipped } = await call(route, { body: { ids: periods.map(({ id }) => id) }, idempotencyKey });
  if (skipped.length === 0) return told(done.length);
  const why = [...new Set(skipped.map(({ because }) => phrase(`settlement-refusal.${because}`)))].join(
    phrase('settlements.reasonMark'),
  );
  return {
    warning: phrase('settlements.skipped', { done: countText(done.length), skipped: countText(skipped.length), why }),
  };
}

/** As it is once it is settled, if it can be read: what is paid out may be less than was asked about. */
const settledNow = ({ id }: SettlementPeriod) =>
  call(getSettlementPeriod, { params: { id }, quiet: true }).catch(() => null);

const manyTold = (done: number) => phrase('settlements.manyDone', { done: countText(done) });

export const settlementActs: Acts<SettlementPeriod> = {
  close: {
    on: 'row',
    label: 'settlements.close',
    may: 'settlement.settle',
    isFor: ({ state }) => state === 'open',
    because: whyNotClose,
    changes,
    deed: (period) => ({
      ask: {
        question: phrase('settlements.closeQuestion', { ...namesOf(period), amount: moneyText(period.sharesFen) }),
        details: phrase('settlements.closeDetails', { orders: countText(period.orders) }),
        verb: phrase('settlements.close'),
      },
      do: (key) =>
        settle(closeSettlementPeriods, [period], key, async (done) => {
          const netFen = (await settledNow(period))?.netFen ?? null;
          if (netFen === null) return manyTold(done);
          return phrase('settlements.closed', { ...namesOf(period), amount: moneyText(netFen) });
        }),
    }),
  },
  payOut: {
    on: 'row',
    label: 'settlements.payOut',
    may: 'settlement.settle',
    isFor: ({ state }) => state === 'closed',
    because: whyNotPayOut,
    changes,
    deed: (period) => ({
      ask: {
        question: phrase('settlements.payOutQuestion', {
          ...namesOf(period),
          amount: moneyText(period.netFen ?? zeroFen),
        }),
        details: phrase((period.netFen ?? 0) > 0 ? 'settlements.payOutDetails' : 'settlements.payOutNothing'),
        verb: phrase('settlements.payOut'),
      },
      do: (key) =>
        settle(payOutSettlementPeriods, [period], key, async (done) => {
          const paidOutFen = (await settledNow(period))?.paidOutFen ?? null;
          if (paidOutFen === null) return manyTold(done);
          return phrase('settlements.paidOut', { party: period.partyName, amount: moneyText(paidOutFen) });
        }),
    }),
  },
  print: {
    on: 'row',
    label: 'settlements.print',
    deed: ({ id }) => ({
      do: async () => {
        await fetchFile(getSettlementPdf, { params: { id } });
        return null;
      },
    }),
  },
  change: changingTerms((period) => period),
  closeMany: {
    on: 'rows',
    label: 'settlements.closeMany',
    may: 'settlement.settle',
    because: whyNotAny(whyNotClose),
    changes,
    deed: (periods) => ({
      ask: {
        question: phrase('settlements.closeManyQuestion', { count: periods.length }),
        details: phrase('settlements.closeManyDetails'),
        verb: phrase('settlements.closeMany'),
      },
      do: (key) => settle(closeSettlementPeriods, periods, key, manyTold),
    }),
  },
  payOutMany: {
    on: 'rows',
    label: 'settlements.payOutMany',
    may: 'settlement.settle',
    because: whyNotAny(whyNotPayOut),
    changes,
    deed: (periods) => ({
      ask: {
        question: phrase('settlements.payOutManyQuestion', { count: periods.length }),
        details: phrase('settlements.payOutManyDetails', {
          amount: moneyText(addFen(zeroFen, ...periods.map(payable))),
        }),
        verb: phrase('settlements.payOutMany'),
      },
      do: (key) => settle(payOutSettlementPeriods, periods, key, manyTold),
    }),
  },
  audit: auditOf('settlement_period'),
};
