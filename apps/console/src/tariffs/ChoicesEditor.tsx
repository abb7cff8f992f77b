import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { longestRunHoursMax, type PrepaymentKind, prepaymentKinds, riderChoicesMax } from '@voltdeck/tariffs/tariff';
import { Button, InputNumber, Radio } from 'antd';
import { phrase } from '../phrases.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import type { TypedChoice, TypedPrepayment } from './rule-values.ts';
import { StepFee } from './TiersEditor.tsx';
import styles from './tariffs.module.css';

type Props = {
  /** Set by the form. */
  id?: string;
  value?: TypedPrepayment | undefined;
  onChange?: (prepayment: TypedPrepayment | undefined) => void;
};

const ways = ['none', ...prepaymentKinds] as const;
/** The amounts and hours that riders are usually offered: 1 to 6 yuan, 2 to 12 hours. */
const usualChoices: readonly TypedChoice[] = [1, 2, 3, 4, 5, 6].map((step) => ({
  amountFen: step * 100,
  hours: step * 2,
}));

/** What riders pay before a charge: up to six choices, refunded what is left, or at a fixed price. */
export function ChoicesEditor({ id, value, onChange = () => {} }: Props) {
  const choices = value?.choices ?? [];
  const change = (index: number, part: Partial<TypedChoice>) => {
    if (value === undefined) return;
    onChange({ ...value, choices: choices.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  };
  const choose = (way: (typeof ways)[number]) =>
    onChange(way === 'none' ? undefined : { kind: way as PrepaymentKind, choices: value?.choices ?? usualChoices });
  return (
    <div id={id}>
      <Radio.Group
        optionType="button"
        aria-label={phrase('tariffs.prepayment')}
        value={value?.kind ?? 'none'}
        onChange={(event) => choose(event.target.value)}
        options={ways.map((way) => ({ value: way, label: phrase(`prepayment.${way}`) }))}
      />
      <p className={styles.help}>{phrase(`prepayment-hint.${value?.kind ?? 'none'}`)}</p>
      {value === undefined ? null : (
        <>
          <p className={styles.help}>{phrase('tariffs.choicesAtStation')}</p>
          <ScrollRegion label={phrase('tariffs.choices')}>
            <table className={styles.slotTable}>
              <thead>
                <tr>
                  <th scope="col">{phrase('tariffs.choiceAmountHead')}</th>
                  <th scope="col">{phrase('tariffs.choiceHoursHead')}</th>
                  <th scope="col">{phrase('tariffs.choiceEnergyHead')}</th>
                  <th scope="col">
                    <span className={styles.unseen}>{phrase('tariffs.removeHead')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {choices.map((one, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a choice is its place among the others
                  <tr key={index}>
                    <td>
                      <StepFee
                        label={phrase('tariffs.choiceAmount', { number: index + 1 })}
                        value={one.amountFen}
                        onChange={(amountFen) => change(index, { amountFen })}
                      />
                    </td>
                    <td>
                      <InputNumber<number>
                        aria-label={phrase('tariffs.choiceHours', { number: index + 1 })}
                        min={1}
                        max={longestRunHoursMax}
                        precision={0}
                        placeholder={phrase('tariffs.untilFull')}
                        value={one.hours ?? null}
                        onChange={(hours) => change(index, { hours })}
                      />
                    </td>
                    <td>
                      <InputNumber<number>
                        aria-label={phrase('tariffs.choiceEnergy', { number: index + 1 })}
                        min={0.1}
                        max={100}
                        precision={2}
                        placeholder={phrase('tariffs.untilFull')}
                        value={one.energyWh === null || one.energyWh === undefined ? null : one.energyWh / 1_000}
                        onChange={(kwh) => change(index, { energyWh: kwh === null ? null : Math.round(kwh * 1_000) })}
                      />
                    </td>
                    <td>
                      <Button
                        type="text"
                        danger
                        icon={<DeleteOutlined />}
                        aria-label={phrase('tariffs.choiceRemove', { number: index + 1 })}
                        onClick={() => onChange({ ...value, choices: choices.filter((_, at) => at !== index) })}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          <Button
            icon={<PlusOutlined />}
            disabled={choices.length >= riderChoicesMax}
            onClick={() => onChange({ ...value, choices: [...choices, {}] })}
          >
            {phrase('tariffs.choiceAdd')}
          </Button>
        </>
      )}
    </div>
  );
}
