import { type Coupon, couponSitesMax, createCoupon, listCoupons } from '@voltdeck/contract/coupons';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordsSelect } from '../ui/RecordsSelect.tsx';

type Props = { open: boolean; onClose: () => void; onSaved: (coupon: Coupon) => void };

/** Adds a coupon. */
export default function CouponFormDrawer({ open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={createCoupon}
      title={phrase('coupons.add')}
      submitLabel={phrase('coupons.add')}
      draft="coupon add"
      initial={{ kind: 'amount', bearer: 'platform' }}
      fields={{
        name: { label: 'coupons.name' },
        kind: { label: 'coupons.kind', word: (kind) => phrase(`coupon-kind.${kind}`) },
        amountFen: {
          label: 'coupons.amount',
          shownIf: ({ kind }) => kind === 'amount',
          requiredIf: ({ kind }) => kind === 'amount',
        },
        percent: {
          label: 'coupons.percent',
          shownIf: ({ kind }) => kind === 'percent',
          requiredIf: ({ kind }) => kind === 'percent',
        },
        maxFen: { label: 'coupons.max', hint: 'coupons.maxHint', shownIf: ({ kind }) => kind === 'percent' },
        siteIds: {
          label: 'coupons.sites',
          hint: 'coupons.sitesHint',
          control: <RecordsSelect choices={recordChoices.site} max={couponSitesMax} />,
        },
        from: { label: 'coupons.from' },
        to: { label: 'coupons.to' },
        bearer: { label: 'coupons.bearer', word: (bearer) => phrase(`coupon-bearer.${bearer}`) },
        budgetFen: { label: 'coupons.budget', hint: 'coupons.budgetHint' },
      }}
      fieldOf={{ 'coupon.period_invalid': 'to' }}
      refreshes={[listCoupons]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
