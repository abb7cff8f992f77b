import type { BillLine } from '@voltdeck/tariffs/bill';
import { readTariff, type TariffDraft } from '@voltdeck/tariffs/check-tariff';
import { sampleBill } from '@voltdeck/tariffs/sample-bill';
import { parseTimeOfDay } from '@voltdeck/tariffs/time-of-day';
import { watts } from '@voltdeck/units/energy';
import { instant, minuteMs, shanghaiDateTime, shanghaiDayStart } from '@voltdeck/units/instant';
import { InputNumber, Select } from 'antd';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { energyText, moneyText, yuanText } from '../ui/figures.ts';
import { slotTimes } from '../ui/form/slot-times.ts';
import { PeriodMark } from './PeriodMark.tsx';
import styles from './tariffs.module.css';

/** What is charged in the example: by energy at a car's power, by minutes at a bicycle's. */
const examples = {
  energy: { energyKwh: 30, powerW: 60_000, minutes: 0 },
  hour: { energyKwh: 0, powerW: 180, minutes: 240 },
};
const startTimes = slotTimes.slice(0, -1).map((time) => ({ value: time, label: time }));
const dayStart = shanghaiDayStart(instant(Date.UTC(2026, 0, 5)));

function lineName(line: BillLine) {
  if (line.kind === 'energy') return <PeriodMark period={line.period} />;
  return line.tierToW === null
    ? phrase('tariffs.tierOpen', { fromW: line.tierFromW })
    : phrase('tariffs.tierSpan', { fromW: line.tierFromW, toW: line.tierToW });
}

const clockOf = (at: number) => shanghaiDateTime(instant(at)).slice(11, 16);

/** The bill of a charge under the rule as it stands in the form, priced by the server's own code. */
export function SampleBill({ draft }: { draft: TariffDraft }) {
  const { kind } = draft;
  const [start, setStart] = useState('17:30');
  const [asked, setAsked] = useState(examples);
  const { energyKwh, powerW, minutes } = asked[kind];
  const change = (part: Partial<typeof examples.energy>) => setAsked({ ...asked, [kind]: { ...asked[kind], ...part } });
  const read = readTariff(draft);
  const lasts = kind === 'hour' ? minutes : powerW > 0 ? Math.round((energyKwh * 60_000) / powerW) : 0;
  const startAt = instant(dayStart + (parseTimeOfDay(start) ?? 0) * minuteMs);
  const bill = read.ok ? sampleBill(read.value, { startAt, minutes: lasts, powerW: watts(powerW) }) : null;
  return (
    <section className={styles.sample} aria-label={phrase('tariffs.sample')}>
      <h3 className={styles.sampleTitle}>{phrase('tariffs.sample')}</h3>
      <div className={styles.sampleFields}>
        <div>
          <span>{phrase('tariffs.sampleStart')}</span>
          <Select
            aria-label={phrase('tariffs.sampleStart')}
            size="small"
            showSearch
            value={start}
            options={startTimes}
            onChange={setStart}
          />
        </div>
        {kind === 'energy' ? (
          <div>
            <span>{phrase('tariffs.sampleEnergy')}</span>
            <InputNumber<number>
              aria-label={phrase('tariffs.sampleEnergy')}
              size="small"
              min={0}
              max={1_000}
              value={energyKwh}
              onChange={(next) => change({ energyKwh: next ?? 0 })}
            />
          </div>
        ) : (
          <div>
            <span>{phrase('tariffs.sampleMinutes')}</span>
            <InputNumber<number>
              aria-label={phrase('tariffs.sampleMinutes')}
              size="small"
              min={0}
              max={2_880}
              precision={0}
              value={minutes}
              onChange={(next) => change({ minutes: next ?? 0 })}
            />
          </div>
        )}
        <div>
          <span>{phrase(kind === 'energy' ? 'tariffs.samplePowerKw' : 'tariffs.samplePowerW')}</span>
          <InputNumber<number>
            aria-label={phrase(kind === 'energy' ? 'tariffs.samplePowerKw' : 'tariffs.samplePowerW')}
            size="small"
            min={kind === 'energy' ? 0.1 : 1}
            max={kind === 'energy' ? 1_000 : 10_000}
            value={kind === 'energy' ? powerW / 1_000 : powerW}
            onChange={(next) => change({ powerW: Math.round((next ?? 0) * (kind === 'energy' ? 1_000 : 1)) })}
          />
        </div>
      </div>
      {bill === null || !bill.ok ? (
        <p className={styles.quiet}>{phrase('tariffs.sampleIncomplete')}</p>
      ) : (
        <table className={styles.sampleBill}>
          <thead>
            <tr>
              <th scope="col">{phrase('tariffs.sampleSpan')}</th>
              <th scope="col" className={styles.right}>
                kWh
              </th>
              <th scope="col" className={styles.right}>
                ¥
              </th>
            </tr>
          </thead>
          <tbody>
            {bill.value.lines.map((line) => (
              <tr key={line.from}>
                <td>
                  <span className="figure">
                    {clockOf(line.from)}–{clockOf(line.to)}
                  </span>{' '}
                  {lineName(line)}
                  <div className={styles.quiet}>
                    {line.kind === 'energy'
                      ? phrase('tariffs.sampleFees', {
                          electricity: yuanText(line.electricityFeeFen),
                          service: yuanText(line.serviceFeeFen),
                        })
                      : phrase('tariffs.sampleSteps', {
                          steps: line.steps,
                          minutes: line.stepMinutes,
                          fee: yuanText(line.feeFenPerStep),
                        })}
                  </div>
                </td>
                <td className={styles.right}>{energyText(line.energyWh)}</td>
                <td className={styles.right}>{yuanText(line.electricityFeeFen + line.serviceFeeFen)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{phrase('tariffs.sampleTotal', { minutes: lasts })}</th>
              <td className={styles.right}>{energyText(bill.value.energyWh)}</td>
              <td className={styles.right} data-total>
                {moneyText(bill.value.amountFen)}
              </td>
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  );
}
