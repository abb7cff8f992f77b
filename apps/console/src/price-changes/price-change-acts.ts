import {
  cancelPriceChange,
  getPriceChange,
  listPriceChangeStations,
  type PriceChange,
  retryPriceChange,
} from '@voltdeck/contract/price-changes';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { asking, auditOf } from '../ui/list/usual-acts.ts';
import type { Acts } from '../ui/list-page.ts';

/** Acts on a price change, in the list and on its own page. */
export const priceChangeActs: Acts<PriceChange> = {
  retry: asking({
    label: 'priceChanges.retry',
    may: 'price_change.edit',
    isFor: ({ tally }) => tally.refused + tally.offline > 0,
    question: ({ name, tally }) =>
      phrase('priceChanges.retryQuestion', { name, count: countText(tally.refused + tally.offline) }),
    details: 'priceChanges.retryText',
    act: ({ id }, idempotencyKey) => call(retryPriceChange, { params: { id }, body: {}, idempotencyKey }),
    told: () => phrase('priceChanges.retried'),
    changes: [getPriceChange, listPriceChangeStations],
  }),
  cancel: asking({
    label: 'priceChanges.cancel',
    may: 'price_change.edit',
    danger: true,
    isFor: ({ state }) => state === 'waiting',
    question: ({ name, stations }) => phrase('priceChanges.cancelQuestion', { name, count: countText(stations) }),
    details: 'priceChanges.cancelText',
    act: ({ id }, idempotencyKey) => call(cancelPriceChange, { params: { id }, idempotencyKey }),
    told: ({ name }) => phrase('priceChanges.cancelledNow', { name }),
    changes: [getPriceChange, listPriceChangeStations],
  }),
  audit: auditOf('price_change'),
};
