import { type ChargeLog, getChargeLog } from '@voltdeck/contract/readings';
import type { OrderId } from '@voltdeck/units/id';
import { minuteMs } from '@voltdeck/units/instant';
import { Button } from 'antd';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { wordFor } from '../orders/words.ts';
import { phrase } from '../phrases.ts';
import { orderScreen } from '../session/order-screen.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useGo } from '../session/use-go.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { nothingText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { type LinePoint, linePanels, panelsHeightPx } from '../ui/line-panels.ts';
import { Panel } from '../ui/Panel.tsx';
import { RecordSelect } from '../ui/RecordSelect.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { useAddress } from '../ui/use-address.ts';
import { chargeChoices } from './charge-choices.ts';
import { chargeFigures, figureRows } from './charge-figures.ts';
import { type ChargeLines, chargeLines, chargePanels, type LineName, lineText } from './charge-lines.ts';
import { LineChoice } from './LineChoice.tsx';
import styles from './readings.module.css';

const Chart = lazyPart(() => import('../ui/Chart.tsx'));

const waitingHeightPx = 360;
/** The lines of two charges are told apart by colour, so those of one panel and axis share it. */
const colours = ['charging', 'occupied'] as const;
const hiddenFirst: readonly LineName[] = ['demandVoltage', 'demandCurrent', 'ambientTemperature', 'vehicleTemperature'];

/** Two charges on the same axes by the minutes since their start, and what differs; /chargeComparison. */
export default function ChargeComparisonPage() {
  const [, setSearch] = useAddress();
  const go = useGo();
  const ids = [useRecordId<OrderId>(), useRecordId<OrderId>('other')] as const;
  const none = 1 as OrderId;
  const one = useAnswer(getChargeLog, { params: { id: ids[0] ?? none } }, { enabled: ids[0] !== null });
  const other = useAnswer(getChargeLog, { params: { id: ids[1] ?? none } }, { enabled: ids[1] !== null });
  const choose = (name: 'id' | 'other', id: number | undefined) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        if (id === undefined) next.delete(name);
        else next.set(name, String(id));
        return next;
      },
      { replace: true },
    );
  const failed = [one, other].find(({ isError, data }) => isError && data === undefined);
  const isWaiting = (ids[0] !== null && one.isPending) || (ids[1] !== null && other.isPending);

  return (
    <div className={styles.page}>
      <h1 className="for-readers">{phrase('readings.comparison')}</h1>
      <div>
        <Button onClick={() => go('deviceLogCharging')}>{phrase('readings.backToLog')}</Button>
      </div>
      <div className={styles.heads}>
        <ChargeHead charge={one.data} colour={colours[0]}>
          {one.data === undefined ? (
            <RecordSelect
              label={phrase('readings.firstCharge')}
              choices={chargeChoices}
              value={ids[0] ?? undefined}
              name={undefined}
              onChange={(id) => choose('id', id)}
            />
          ) : (
            <ScreenLink screen="deviceLogCharging" query={{ orderNumber: one.data.number }}>
              {phrase('readings.openLog')}
            </ScreenLink>
          )}
        </ChargeHead>
        <ChargeHead charge={other.data} colour={colours[1]}>
          <RecordSelect
            label={phrase('readings.otherCharge')}
            choices={chargeChoices}
            value={ids[1] ?? undefined}
            name={other.data?.number}
            onChange={(id) => choose('other', id)}
          />
        </ChargeHead>
      </div>
      {failed !== undefined ? (
        <Panel title={phrase('readings.chart')}>
          <ErrorState failure={failed.error} retry={() => void failed.refetch()} />
        </Panel>
      ) : isWaiting ? (
        <Panel title={phrase('readings.chart')} flush>
          <div className={styles.waiting} style={{ height: waitingHeightPx }} />
        </Panel>
      ) : one.data === undefined || other.data === undefined ? (
        <Panel title={phrase('readings.chart')}>
          <EmptyState title={phrase('readings.comparisonMissing')} text={phrase('readings.otherHint')} />
        </Panel>
      ) : (
        <Comparison one={one.data} other={other.data} />
      )}
    </div>
  );
}

type HeadProps = { charge: ChargeLog | undefined; colour: (typeof colours)[number]; children: ReactNode };

function ChargeHead({ charge, colour, children }: HeadProps) {
  return (
    <section className={styles.head} style={{ ['--charge' as string]: `var(--${colour}-mark)` }}>
      <div className={styles.headTitle}>
        {charge === undefined ? (
          nothingText
        ) : (
          <ScreenLink screen={orderScreen(charge)} query={{ id: charge.id }}>
            {charge.number}
          </ScreenLink>
        )}
      </div>
      {charge === undefined ? null : (
        <div className={styles.quiet}>
          {[
            charge.siteName,
            phrase('readings.stationPort', { station: charge.stationName, port: charge.connectorNumber }),
            ...(charge.plate === null ? [] : [charge.plate]),
            ...(charge.startedAt === null ? [] : [isoDateTime(charge.startedAt) ?? charge.startedAt]),
          ].join(' · ')}
        </div>
      )}
      <div>{children}</div>
    </section>
  );
}

/** The lines of a charge by the minutes since its start. */
function sinceStart(charge: ChargeLog): ChargeLines {
  const lines = chargeLines(charge);
  const startMs = Date.parse(charge.startedAt ?? charge.points[0]?.at ?? '');
  return new Map(
    [...lines].map(([name, points]) => [
      name,
      points.map(([at, value]): LinePoint => [(at - startMs) / minuteMs, value]),
    ]),
  );
}

function Comparison({ one, other }: { one: ChargeLog; other: ChargeLog }) {
  const [hidden, setHidden] = useState<ReadonlySet<LineName>>(new Set(hiddenFirst));
  const lines = useMemo(() => [sinceStart(one), sinceStart(other)] as const, [one, other]);
  const chart = useMemo(() => {
    const panels = chargePanels(
      [one, other].map((charge, index) => ({
        id: String(index),
        lines: lines[index as 0 | 1],
        nameOf: (name: LineName) => `${lineText(name)} · ${charge.number.slice(-6)}`,
        look: { colour: colours[index as 0 | 1], isFilled: false },
      })),
      hidden,
    );
    const toX = Math.max(1, ...lines.flatMap((each) => [...each.values()].map((points) => points.at(-1)?.[0] ?? 0)));
    return {
      heightPx: panelsHeightPx(panels),
      hasPanels: panels.length > 0,
      option: linePanels({
        panels,
        fromX: 0,
        toX,
        isTime: false,
        markText: (minute) => String(Math.round(minute)),
        headText: (minute) => phrase('readings.minute', { minute: minute.toFixed(1) }),
      }),
    };
  }, [one, other, lines, hidden]);
  const rows = figureRows(chargeFigures(one), chargeFigures(other));
  const words: [key: string, label: string, text: (charge: ChargeLog) => string][] = [
    ['mode', phrase('readings.startMode'), ({ startMode }) => wordFor('start-mode', startMode)],
    [
      'reason',
      phrase('readings.stopReason'),
      ({ stopReason }) => (stopReason === null ? nothingText : wordFor('stop-reason', stopReason)),
    ],
    [
      'flags',
      phrase('readings.flags'),
      ({ flags }) =>
        flags.length === 0
          ? nothingText
          : flags.map(({ rule }) => wordFor('abnormal-rule', rule)).join(phrase('list.comma')),
    ],
  ];
  return (
    <>
      <Panel title={phrase('readings.chart')} note={phrase('readings.minutesAxis')} flush>
        <LineChoice
          isPlain
          known={new Set(lines.flatMap((each) => [...each.keys()]))}
          hidden={hidden}
          onChange={setHidden}
        />
        {chart.hasPanels ? (
          <Suspense fallback={<div style={{ height: chart.heightPx }} />}>
            <Chart
              key={[...hidden].join()}
              option={chart.option}
              heightPx={chart.heightPx}
              label={phrase('readings.comparisonLabel', { one: one.number, other: other.number })}
            />
          </Suspense>
        ) : (
          <EmptyState title={phrase('readings.noCurve')} text={phrase('readings.noCurveText')} />
        )}
      </Panel>
      <Panel title={phrase('readings.differences')} flush>
        <ScrollRegion label={phrase('readings.differences')}>
          <table className={styles.figures}>
            <thead>
              <tr>
                <th scope="col">{phrase('readings.figure')}</th>
                <th scope="col">{one.number}</th>
                <th scope="col">{other.number}</th>
                <th scope="col">{phrase('readings.difference')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{row.label}</th>
                  <td>{row.one}</td>
                  <td>{row.other}</td>
                  <td>{row.difference}</td>
                </tr>
              ))}
              {words.map(([key, label, text]) => (
                <tr key={key}>
                  <th scope="row">{label}</th>
                  <td>{text(one)}</td>
                  <td>{text(other)}</td>
                  <td />
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </Panel>
    </>
  );
}
