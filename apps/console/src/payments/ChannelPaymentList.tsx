import { type ChannelPayment, listChannelPayments } from '@voltdeck/contract/channel-payments';
import type { PaymentAttention } from '@voltdeck/contract/payment-channels';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { moneyText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { channelPaymentTones } from '../ui/state-colours.ts';
import { MovementViews } from './MovementViews.tsx';

const SendBackForm = lazyPart(() => import('./SendBackForm.tsx'));

const filters: Filters<typeof listChannelPayments> = {
  waits: { title: 'channel-payments.waits', words: ['channel-payments.waitsYes', 'channel-payments.waitsNo'] },
  number: {},
  thirdPartyNumber: {},
  state: {},
  channel: {},
  from: { title: 'channel-payments.createdAt' },
  cardId: { title: 'channel-payments.card' },
  customerId: { title: 'channel-payments.customer' },
};

const look: ListPageProps<typeof listChannelPayments>['look'] = {
  number: { widthPx: 212, isPinned: true },
  createdAt: { widthPx: 144 },
  state: { widthPx: 112, tone: ({ state }) => channelPaymentTones[state] },
  amountFen: { widthPx: 104 },
  paidFen: { widthPx: 104, isKeyFact: true },
  sentBackFen: { widthPx: 104 },
  attention: { widthPx: 160, tone: ({ attention }) => attentionTone(attention), isKeyFact: true },
  cardNumber: {
    widthPx: 172,
    link: ({ cardNumber }) => (cardNumber === null ? null : place('cardList', { number: cardNumber })),
  },
  customerPhone: {
    widthPx: 136,
    link: ({ customerId: id }) => (id === null ? null : place('registerUserDetail', { id })),
  },
  rechargeNumber: {
    widthPx: 216,
    link: ({ rechargeNumber }) =>
      rechargeNumber === null ? null : place('chongzhiRecods', { view: 'recharges', number: rechargeNumber }),
  },
  refusal: { isHidden: true },
};

const attentionTone = (attention: PaymentAttention | null) => (attention === null ? null : ('occupied' as const));

const acts: Acts<ChannelPayment> = {
  sendBack: {
    on: 'row',
    label: 'channel-payments.sendBack',
    may: 'recharge.refund',
    danger: true,
    isFor: ({ attention }) => attention !== null,
    because: ({ paidFen, sentBackFen }) =>
      sentBackFen >= (paidFen ?? 0) ? phrase('error.channel.already_sent_back') : undefined,
    overlay: (payment, over) => (
      <SendBackForm
        payment={payment}
        {...formIn(over, ({ number, paidFen }: ChannelPayment) =>
          phrase('channel-payments.sentBackNow', { number, amount: moneyText(paidFen ?? 0) }),
        )}
      />
    ),
  },
  audit: auditOf('recharge_code'),
};

/** Payments through channels, and what of them is on no balance. */
export default function ChannelPaymentList() {
  return (
    <ListPage
      list={listChannelPayments}
      title="movements.title"
      tools={<MovementViews view="channels" />}
      record="channel-payments.payment"
      filters={filters}
      look={look}
      acts={acts}
      empty={{ title: 'channel-payments.empty', text: 'channel-payments.emptyText' }}
    />
  );
}
