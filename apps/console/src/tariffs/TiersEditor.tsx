import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { tierPowerWMax, tiersMax } from '@voltdeck/tariffs/tariff';
import { fen, formatYuan, parseYuan } from '@voltdeck/units/money';
import { Button, InputNumber } from 'antd';
import { phrase } from '../phrases.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { type TypedTier, tierCoverage } from './rule-values.ts';
import styles from './tariffs.module.css';

type FeeProps = { value: number | undefined; label: string; onChange: (feeFen: number | undefined) => void };

/** A fee for each step of a charge, in yuan. */
export function StepFee({ value, label, onChange }: FeeProps) {
  return (
    <InputNumber<string>
      aria-label={label}
      style={{ width: '100%' }}
      stringMode
      prefix="¥"
      precision={2}
      min="0"
      value={value === undefined ? null : formatYuan(fen(value))}
      onChange={(next) => onChange(parseYuan(next ?? '') ?? undefined)}
    />
  );
}

type Props = {
  /** Set by the form. */
  id?: string;
  value?: readonly TypedTier[];
  onChange?: (tiers: readonly TypedTier[]) => void;
  stepMinutes: number;
};

/** The end of a tier is not part of it: at exactly 200 W the tier that begins at 200 W holds. */
function tierText({ fromW, toW }: TypedTier): string {
  if (fromW === undefined) return '';
  return toW === undefined || toW === null
    ? phrase('tariffs.tierOpen', { fromW })
    : phrase('tariffs.tierSpan', { fromW, toW });
}

/** Nothing where a tier ends before it begins: the form's own fault says so, and the rest would contradict it. */
function Coverage({ tiers }: { tiers: readonly TypedTier[] }) {
  const isReadable = tiers.every(({ fromW, toW }) => fromW !== undefined && (toW ?? Number.POSITIVE_INFINITY) > fromW);
  const { gaps, overlaps } = tierCoverage(tiers);
  const spans = (found: readonly { fromW: number; toW: number }[]) =>
    found
      .map(({ fromW, toW }) => (Number.isFinite(toW) ? `${fromW}–${toW} W` : phrase('tariffs.tierOpen', { fromW })))
      .join(', ');
  if (!isReadable) return null;
  return (
    <div role="status" className={styles.coverage} data-covered={gaps.length === 0 && overlaps.length === 0}>
      {gaps.length === 0 && overlaps.length === 0 ? <span>{phrase('tariffs.tiersCovered')}</span> : null}
      {gaps.length > 0 ? <span>{phrase('tariffs.notCovered', { spans: spans(gaps) })}</span> : null}
      {overlaps.length > 0 ? <span>{phrase('tariffs.overlapping', { spans: spans(overlaps) })}</span> : null}
    </div>
  );
}

/** Ranges of power, each with the fee of a step that runs in it. */
export function TiersEditor({ id, value = [], onChange = () => {}, stepMinutes }: Props) {
  const change = (index: number, part: Partial<TypedTier>) =>
    onChange(value.map((tier, at) => (at === index ? { ...tier, ...part } : tier)));
  const addOne = () => {
    const last = value.at(-1);
    const fromW = last?.toW ?? (last?.fromW === undefined ? 0 : last.fromW + 200);
    const before = last === undefined ? [] : [...value.slice(0, -1), { ...last, toW: last.toW ?? fromW }];
    onChange([...before, { fromW, toW: null }]);
  };
  return (
    <div id={id}>
      <p className={styles.help}>{phrase('tariffs.tiersHelp')}</p>
      <ScrollRegion label={phrase('tariffs.tiers')}>
        <table className={styles.slotTable}>
          <thead>
            <tr>
              <th scope="col">{phrase('tariffs.tierFromHead')}</th>
              <th scope="col">{phrase('tariffs.tierToHead')}</th>
              <th scope="col">{phrase('tariffs.tierFeeHead', { minutes: stepMinutes })}</th>
              <th scope="col">
                <span className={styles.unseen}>{phrase('tariffs.removeHead')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {value.map((tier, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a tier is its place among the others
              <tr key={index}>
                <td>
                  <InputNumber<number>
                    aria-label={phrase('tariffs.tierFrom', { number: index + 1 })}
                    min={0}
                    max={tierPowerWMax}
                    precision={0}
                    value={tier.fromW ?? null}
                    onChange={(next) => change(index, { fromW: next ?? undefined })}
                  />
                </td>
                <td>
                  <InputNumber<number>
                    aria-label={phrase('tariffs.tierTo', { number: index + 1 })}
                    min={0}
                    max={tierPowerWMax}
                    precision={0}
                    placeholder={phrase('tariffs.noEnd')}
                    value={tier.toW ?? null}
                    onChange={(next) => change(index, { toW: next })}
                  />
                </td>
                <td>
                  <StepFee
                    label={phrase('tariffs.tierFee', { number: index + 1 })}
                    value={tier.feeFenPerStep}
                    onChange={(feeFenPerStep) => change(index, { feeFenPerStep })}
                  />
                  <div className={styles.quiet}>{tierText(tier)}</div>
                </td>
                <td>
                  <Button
                    type="text"
                    danger
                    size="small"
                    icon={<DeleteOutlined />}
                    aria-label={phrase('tariffs.tierRemove', { number: index + 1 })}
                    onClick={() => onChange(value.filter((_, at) => at !== index))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <Button size="small" icon={<PlusOutlined />} disabled={value.length >= tiersMax} onClick={addOne}>
        {phrase('tariffs.tierAdd')}
      </Button>
      <Coverage tiers={value} />
    </div>
  );
}
