import type { SiteShareTerms } from '@voltdeck/contract/share-terms';
import { fen } from '@voltdeck/units/money';
import { Alert } from 'antd';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import styles from './share-terms.module.css';

export type Percents = Pick<
  SiteShareTerms,
  'channelFeePercent' | 'electricityPercent' | 'servicePercent' | 'occupancyPercent'
>;

export type ShareTermsForm = { open: boolean; onClose: () => void; onSaved: (told: string) => void };

/** What the platform keeps, in the order in which it is taken. */
export const shareTermFields = {
  channelFeePercent: { label: 'shareTerms.channelFee', hint: 'shareTerms.channelFeeHint' },
  electricityPercent: { label: 'shareTerms.electricity', heading: 'shareTerms.commission', isShort: true },
  servicePercent: { label: 'shareTerms.service', isShort: true },
  occupancyPercent: { label: 'shareTerms.occupancy', below: (values: Partial<Percents>) => <Example {...values} /> },
} as const;

/** Of each 50 yuan of electricity and of service. */
const partFen = 5_000;
/** A platform that keeps more of a bill has often mistyped. */
const muchOfHundred = 30;

function Example({ channelFeePercent = 0, electricityPercent = 0, servicePercent = 0 }: Partial<Percents>) {
  const feeFen = Math.round((partFen * Number(channelFeePercent)) / 100);
  const commissionFen = (percent: number) => Math.round(((partFen - feeFen) * Number(percent)) / 100);
  const keptFen = fen(2 * feeFen + commissionFen(electricityPercent) + commissionFen(servicePercent));
  if (!Number.isSafeInteger(keptFen) || keptFen > 2 * partFen) return null;
  const text = phrase('shareTerms.example', { kept: moneyText(keptFen), left: moneyText(fen(2 * partFen - keptFen)) });
  return keptFen <= muchOfHundred * 100 ? (
    <p className={styles.note}>{text}</p>
  ) : (
    <Alert type="warning" showIcon title={text} />
  );
}

export function ShareTermsIntro() {
  return (
    <>
      <p className={styles.note}>{phrase('shareTerms.order')}</p>
      <p className={styles.note}>{phrase('shareTerms.after')}</p>
    </>
  );
}

export const percentsOf = ({ channelFeePercent, electricityPercent, servicePercent, occupancyPercent }: Percents) => ({
  channelFeePercent,
  electricityPercent,
  servicePercent,
  occupancyPercent,
});
