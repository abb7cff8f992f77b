import { type Coupon, listCoupons, stopCoupon } from '@voltdeck/contract/coupons';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { asking, auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';

/** Lazy: most visits to a list never open them. */
const CouponFormDrawer = lazyPart(() => import('./CouponFormDrawer.tsx'));
const GiveCouponForm = lazyPart(() => import('./GiveCouponForm.tsx'));

const filters: Filters<typeof listCoupons> = {
  name: {},
  kind: {},
  bearer: {},
  stopped: { title: 'coupons.stopped', words: ['coupons.stoppedYes', 'coupons.stoppedNo'] },
};

const look: ListPageProps<typeof listCoupons>['look'] = {
  name: { widthPx: 200, isPinned: true },
  usedFen: { isKeyFact: true },
  given: { isKeyFact: true },
  used: { isKeyFact: true },
  maxFen: { isHidden: true },
};

const because = ({ stoppedAt }: Coupon) => (stoppedAt === null ? undefined : phrase('error.coupon.stopped'));

const acts: Acts<Coupon> = {
  add: {
    on: 'list',
    label: 'coupons.add',
    may: 'coupon.edit',
    overlay: (over) => <CouponFormDrawer {...formIn(over, ({ name }: Coupon) => phrase('coupons.saved', { name }))} />,
  },
  give: {
    on: 'row',
    label: 'coupons.give',
    may: 'coupon.edit',
    because,
    overlay: (coupon, over) => <GiveCouponForm coupon={coupon} {...formIn(over, (told: string) => told)} />,
  },
  stop: asking({
    label: 'coupons.stop',
    may: 'coupon.edit',
    danger: true,
    question: ({ name }) => phrase('coupons.stopQuestion', { name }),
    details: ({ given, used }) => phrase('coupons.stopDetails', { count: countText(given - used) }),
    act: ({ id }, idempotencyKey) => call(stopCoupon, { params: { id }, idempotencyKey }),
    told: ({ name }) => phrase('coupons.stoppedNow', { name }),
    because,
  }),
  audit: auditOf('coupon'),
};

/** Coupons on the service fee; /couponList. */
export default function CouponListPage() {
  return (
    <ListPage
      list={listCoupons}
      title="coupons.title"
      record="coupons.coupon"
      filters={filters}
      look={look}
      acts={acts}
      empty={{ title: 'coupons.empty', text: 'coupons.emptyText' }}
    />
  );
}
