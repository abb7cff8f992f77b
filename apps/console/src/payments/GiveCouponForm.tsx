import { type Coupon, couponPhonesMax, giveCoupon, listCoupons } from '@voltdeck/contract/coupons';
import { linesField } from '@voltdeck/contract/fields';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

/** As many phones as one call takes, a line each. */
const phonesTextMax = couponPhonesMax * 12;

type Props = { coupon: Coupon; open: boolean; onClose: () => void; onSaved: (told: string) => void };

const phonesOf = (text: string | undefined) => (text ?? '').split(/[\s,;，；]+/).filter((phone) => phone !== '');

/** Gives a coupon to registered users by their phones, or to all of them. */
export default function GiveCouponForm({ coupon, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={giveCoupon}
      params={{ id: coupon.id }}
      title={phrase('coupons.giveTitle', { name: coupon.name })}
      submitLabel={({ phonesText, all }) => {
        if (all === true) return phrase('coupons.giveAllVerb');
        const count = phonesOf(phonesText).length;
        return count === 0 ? phrase('coupons.giveEmpty') : phrase('coupons.giveVerb', { count: countText(count) });
      }}
      own={{ phonesText: linesField(phonesTextMax) }}
      fields={{
        all: { label: 'coupons.giveAll', hint: 'coupons.giveAllHint' },
        phonesText: {
          label: 'coupons.givePhones',
          hint: 'coupons.givePhonesHint',
          rows: 8,
          shownIf: ({ all }) => all !== true,
          requiredIf: ({ all }) => all !== true,
        },
      }}
      adjust={({ phonesText, all }) => (all === true ? { all } : { phones: phonesOf(phonesText) })}
      refreshes={[listCoupons]}
      open={open}
      onClose={onClose}
      onSaved={({ given, unknown }) =>
        onSaved(
          unknown.length === 0
            ? phrase('coupons.givenNow', { count: countText(given) })
            : phrase('coupons.givenSome', { count: countText(given), unknown: countText(unknown.length) }),
        )
      }
    />
  );
}
