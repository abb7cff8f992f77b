import type { listRecharges, Recharge } from '@voltdeck/contract/payments';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { approvalOf, whyActWaits } from '../ui/list/act-waits.ts';
import { auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, ListPageProps } from '../ui/list-page.ts';
import { movementTones } from '../ui/state-colours.ts';

/** Lazy: most visits to a list never open it. */
const RefundRechargeForm = lazyPart(() => import('./RefundRechargeForm.tsx'));
const ReverseRechargeForm = lazyPart(() => import('./ReverseRechargeForm.tsx'));

/** The look of every list of recharges. */
export const rechargeLook: ListPageProps<typeof listRecharges>['look'] = {
  number: { widthPx: 216, isPinned: true },
  cardNumber: { widthPx: 196 },
  customerPhone: { widthPx: 136 },
  amountFen: { isKeyFact: true },
  state: { widthPx: 112, tone: ({ state }) => movementTones[state] },
  promotionName: { isHidden: true },
  channel: { isHidden: true },
  repaidFen: { isHidden: true },
  owedAfterFen: { isHidden: true },
  prepaidAfterFen: { isHidden: true },
  waits: {
    widthPx: 216,
    isHidden: true,
    link: approvalOf,
  },
};

/** What can be done on a recharge. */
export const rechargeActs: Acts<Recharge> = {
  refund: {
    on: 'row',
    label: 'recharges.refund',
    may: 'recharge.refund',
    danger: true,
    because: (recharge) =>
      recharge.state === 'reversed'
        ? phrase('error.recharge.already_reversed')
        : recharge.state === 'refunded'
          ? phrase('recharges.nothingToRefund')
          : whyActWaits('recharge_refund', recharge),
    overlay: (recharge, over) => <RefundRechargeForm recharge={recharge} {...formIn(over, (told: string) => told)} />,
  },
  reverse: {
    on: 'row',
    label: 'recharges.reverse',
    may: 'recharge.reverse',
    danger: true,
    because: (recharge) =>
      recharge.reversedAt !== null
        ? phrase('error.recharge.already_reversed')
        : recharge.refundedFen > 0
          ? phrase('error.recharge.already_refunded')
          : whyActWaits('recharge_refund', recharge),
    overlay: (recharge, over) => (
      <ReverseRechargeForm
        recharge={recharge}
        {...formIn(over, ({ amountFen }: Recharge) =>
          phrase('recharges.reversedNow', { amount: moneyText(amountFen) }),
        )}
      />
    ),
  },
  audit: auditOf('recharge'),
};
