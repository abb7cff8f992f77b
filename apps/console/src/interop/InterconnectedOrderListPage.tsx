import { replayDeliveries } from '@voltdeck/contract/partner-deliveries';
import {
  type ComparedResult,
  comparedResults,
  listPartnerCharges,
  listPartnerDays,
  listRoamingCharges,
  type PartnerCharge,
  type RoamingCharge,
  stopRoamingCharge,
} from '@voltdeck/contract/roaming';
import { dayMs, instant, parseShanghaiDate, toIso } from '@voltdeck/units/instant';
import { Segmented } from 'antd';
import { useSearchParams } from 'react-router';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { moneyText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { askingMany, auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { orderTones, type Tone } from '../ui/state-colours.ts';
import { useAddress } from '../ui/use-address.ts';
import { RoamingBill } from './RoamingBill.tsx';

/** Lazy: most visits to the list never open it. */
const SettleRoamingForm = lazyPart(() => import('./SettleRoamingForm.tsx'));
const RefundRoamingForm = lazyPart(() => import('./RefundRoamingForm.tsx'));
const UpholdChargeForm = lazyPart(() => import('./UpholdChargeForm.tsx'));
const CloseRoamingForm = lazyPart(() => import('./CloseRoamingForm.tsx'));

const comparedTones: Readonly<Record<ComparedResult, Tone>> = {
  agreed: 'free',
  missing: 'fault',
  amount_differs: 'fault',
  energy_differs: 'fault',
  listed_twice: 'fault',
  other: 'fault',
};
const comparedTone = ({ compared }: { compared: ComparedResult | null }) =>
  compared === null ? null : comparedTones[compared];

const inboundFilters: Filters<typeof listPartnerCharges> = {
  partnerId: { title: 'interop.partner' },
  sequence: {},
  siteId: { title: 'roaming.site' },
  stationNumber: {},
  refused: { title: 'roaming.refused' },
  compared: {},
  from: { title: 'roaming.placedAt' },
};

const inboundLook: ListPageProps<typeof listPartnerCharges>['look'] = {
  sequence: { widthPx: 264, isPinned: true },
  state: { widthPx: 104, isKeyFact: true, tone: ({ state }) => (state === null ? null : orderTones[state]) },
  orderNumber: {
    widthPx: 200,
    link: ({ orderId }) => (orderId === null ? null : place('orderListDetailHistory', { id: orderId })),
  },
  partnerName: {
    widthPx: 160,
    isKeyFact: true,
    link: ({ partnerId }) => place('supOperatorDetail', { id: partnerId }),
  },
  siteName: { widthPx: 152 },
  stationNumber: { isHidden: true },
  portCode: { isHidden: true },
  energyWh: { isKeyFact: true },
  sharpWh: { isHidden: true },
  peakWh: { isHidden: true },
  flatWh: { isHidden: true },
  valleyWh: { isHidden: true },
  amountFen: { isKeyFact: true },
  vin: { isHidden: true },
  stopReason: { widthPx: 152 },
  confirmResult: { isHidden: true },
  compared: { widthPx: 112, isKeyFact: true, tone: comparedTone },
  tries: { isHidden: true },
  startedAt: { isHidden: true },
  endedAt: { isHidden: true },
};

const inboundActs: Acts<PartnerCharge> = {
  replay: askingMany({
    label: 'deliveries.replay',
    may: 'partner_delivery.replay',
    because: (rows) =>
      rows.some(({ deliveryId }) => deliveryId === null) ? phrase('roaming.nothingToPush') : undefined,
    question: ({ length: count }) => phrase('roaming.replayQuestion', { count }),
    act: async (rows, idempotencyKey) => {
      const ids = rows.flatMap(({ deliveryId }) => deliveryId ?? []);
      const { count } = await call(replayDeliveries, { body: { ids }, idempotencyKey });
      return phrase('deliveries.replayed', { count });
    },
  }),
  uphold: {
    on: 'row',
    label: 'roaming.uphold',
    may: 'partner_order.settle',
    isFor: ({ compared }) => compared !== null && compared !== 'agreed',
    overlay: (charge, over) => <UpholdChargeForm charge={charge} {...formIn(over, (said: string) => said)} />,
  },
};

const outboundFilters: Filters<typeof listRoamingCharges> = {
  partnerId: { title: 'interop.partner' },
  state: {},
  sequence: {},
  phone: {},
  siteCode: {},
  portCode: {},
  compared: {},
  owing: { title: 'roaming.owing' },
  from: { title: 'roaming.placedAt' },
};

const roamingTones: Readonly<Record<RoamingCharge['state'], Tone>> = {
  starting: 'occupied',
  charging: 'charging',
  settling: 'occupied',
  disputed: 'fault',
  completed: 'free',
  cancelled: 'offline',
};

const outboundLook: ListPageProps<typeof listRoamingCharges>['look'] = {
  sequence: { widthPx: 264, isPinned: true },
  state: { widthPx: 104, isKeyFact: true, tone: ({ state }) => roamingTones[state] },
  partnerName: {
    widthPx: 160,
    isKeyFact: true,
    link: ({ partnerId }) => place('supOperatorDetail', { id: partnerId }),
  },
  siteName: { widthPx: 152 },
  siteCode: { isHidden: true },
  stationCode: { isHidden: true },
  portCode: { isHidden: true },
  userName: { widthPx: 144, link: ({ customerId }) => place('registerUserDetail', { id: customerId }) },
  phone: { widthPx: 136 },
  energyWh: { isKeyFact: true },
  amountFen: { isKeyFact: true },
  paidFen: { isHidden: true },
  refundedFen: { isHidden: true },
  heldFen: { isHidden: true },
  plate: { isHidden: true },
  vin: { isHidden: true },
  stopReason: { isHidden: true },
  refusal: { isHidden: true },
  doubts: { widthPx: 176, isKeyFact: true },
  confirmResult: { isHidden: true },
  compared: { widthPx: 112, tone: comparedTone },
  startedAt: { isHidden: true },
  billedAt: { isHidden: true },
  settledAt: { isHidden: true },
};

const isRunning = ({ state }: RoamingCharge) => state === 'starting' || state === 'charging';

const isPaid = ({ state }: RoamingCharge) => state === 'completed';
const isClosed = ({ state }: RoamingCharge) => state === 'completed' || state === 'cancelled';

const outboundActs: Acts<RoamingCharge> = {
  stop: {
    on: 'row',
    label: 'roaming.stop',
    may: 'partner_order.settle',
    isFor: isRunning,
    deed: (charge) => ({
      ask: {
        question: phrase('roaming.stopQuestion', { sequence: charge.sequence }),
        details: phrase('roaming.stopDetails', { name: charge.partnerName }),
        verb: phrase('roaming.stop'),
      },
      do: async (idempotencyKey) => {
        const { agreed } = await call(stopRoamingCharge, { params: { id: charge.id }, idempotencyKey });
        return agreed ? phrase('roaming.stopAgreed') : { warning: phrase('roaming.stopRefused') };
      },
    }),
  },
  settle: {
    on: 'row',
    label: 'roaming.settle',
    may: 'partner_order.settle',
    isFor: ({ state }) => state !== 'completed' && state !== 'cancelled',
    because: ({ canSettle }) => (canSettle ? undefined : phrase('error.roaming.still_running')),
    overlay: (charge, over) => (
      <SettleRoamingForm
        charge={charge}
        {...formIn(over, ({ sequence, amountFen }: RoamingCharge) =>
          phrase('roaming.settled', { sequence, amount: moneyText(amountFen) }),
        )}
      />
    ),
  },
  refund: {
    on: 'row',
    label: 'roaming.refund',
    may: 'partner_order.settle',
    isFor: isPaid,
    because: ({ refundableFen }) => (refundableFen > 0 ? undefined : phrase('roaming.nothingToRefund')),
    overlay: (charge, over) => (
      <RefundRoamingForm
        charge={charge}
        {...formIn(over, ({ sequence, refundedFen }: RoamingCharge) =>
          phrase('roaming.refundedDone', { sequence, amount: moneyText(refundedFen) }),
        )}
      />
    ),
  },
  writeOff: {
    on: 'row',
    label: 'roaming.writeOff',
    may: 'partner_order.settle',
    isFor: (charge) => isPaid(charge) && charge.owedFen > 0,
    overlay: (charge, over) => (
      <CloseRoamingForm charge={charge} how="writeOff" {...formIn(over, (said: string) => said)} />
    ),
  },
  uphold: {
    on: 'row',
    label: 'roaming.uphold',
    may: 'partner_order.settle',
    isFor: (charge) => isClosed(charge) && charge.compared !== null && charge.compared !== 'agreed',
    overlay: (charge, over) => (
      <CloseRoamingForm charge={charge} how="uphold" {...formIn(over, (said: string) => said)} />
    ),
  },
  audit: auditOf('roaming_charge'),
};

const dayFilters: Filters<typeof listPartnerDays> = {
  partnerId: { title: 'interop.partner' },
  direction: {},
  hasDisputes: { title: 'roaming.hasDisputes' },
  from: { title: 'roaming.day' },
};

const disputes = comparedResults.filter((result) => result !== 'agreed');

/** When charges that ended on a day began: the longest lasts a week. */
function beginOf(day: string): { from: string; to: string } {
  const at = parseShanghaiDate(day) ?? instant(0);
  return { from: toIso(instant(at - 7 * dayMs)), to: toIso(instant(at + dayMs - 1)) };
}

const dayLook: ListPageProps<typeof listPartnerDays>['look'] = {
  day: { widthPx: 112, isPinned: true },
  partnerName: {
    widthPx: 176,
    isKeyFact: true,
    link: ({ partnerId }) => place('supOperatorDetail', { id: partnerId }),
  },
  direction: { widthPx: 136, isKeyFact: true },
  amountFen: { isKeyFact: true },
  disputed: {
    isKeyFact: true,
    tone: ({ disputed }) => (disputed > 0 ? 'fault' : null),
    link: ({ day, partnerId, direction, disputed }) =>
      disputed === 0
        ? null
        : place('hlhtOrderList', {
            partnerId,
            compared: [...disputes],
            ...beginOf(day),
            ...(direction === 'outbound' && { view: 'roaming' as const }),
          }),
  },
};

const views = ['inbound', 'outbound', 'days'] as const;
type View = (typeof views)[number];

function Views({ view }: { view: View }) {
  const [, setSearch] = useAddress();
  const change = (chosen: View) =>
    setSearch((current) => {
      const partnerId = current.get('partnerId');
      const next = new URLSearchParams(partnerId === null ? {} : { partnerId });
      if (chosen !== 'inbound') next.set('view', chosen === 'outbound' ? 'roaming' : 'days');
      return next;
    });
  return (
    <Segmented<View>
      aria-label={phrase('roaming.view')}
      value={view}
      onChange={change}
      options={views.map((value) => ({ value, label: phrase(`roaming.${value}`) }))}
    />
  );
}

/** Charges that operators exchange, of both sides' users at the other's stations; /hlhtOrderList. */
export default function InterconnectedOrderListPage() {
  const [search] = useSearchParams();
  if (search.get('view') === 'days') {
    return (
      <ListPage
        list={listPartnerDays}
        title="roaming.title"
        record="roaming.day"
        filters={dayFilters}
        look={dayLook}
        tools={<Views view="days" />}
        empty={{ title: 'roaming.noDays', text: 'roaming.noDaysText' }}
      />
    );
  }
  if (search.get('view') === 'roaming') {
    return (
      <ListPage
        list={listRoamingCharges}
        title="roaming.title"
        record="roaming.charge"
        nameOf={({ sequence }) => sequence}
        filters={outboundFilters}
        look={outboundLook}
        acts={outboundActs}
        details={({ id }) => <RoamingBill id={id} />}
        tools={<Views view="outbound" />}
        empty={{ title: 'roaming.noOutbound', text: 'roaming.noOutboundText' }}
      />
    );
  }
  return (
    <ListPage
      list={listPartnerCharges}
      title="roaming.title"
      record="roaming.charge"
      nameOf={({ sequence }) => sequence}
      filters={inboundFilters}
      look={inboundLook}
      acts={inboundActs}
      tools={<Views view="inbound" />}
      empty={{ title: 'roaming.noInbound', text: 'roaming.noInboundText' }}
    />
  );
}
