import type { ReadingDoubt } from '@voltdeck/charging/states';
import { type ChargeLog, getChargeLog } from '@voltdeck/contract/readings';
import type { OrderId } from '@voltdeck/units/id';
import { Suspense, useMemo, useState } from 'react';
import { useConsoleEvents } from '../api/events.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { clockSecondsText, clockText, markText, priceRows } from '../orders/charge-chart.ts';
import { gapsOf } from '../orders/curve.ts';
import { PriceStrip } from '../orders/PriceStrip.tsx';
import { stretchesOf } from '../orders/stretches-of.ts';
import { wordFor } from '../orders/words.ts';
import { phrase } from '../phrases.ts';
import { orderScreen } from '../session/order-screen.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { linePanels, panelsHeightPx } from '../ui/line-panels.ts';
import { Panel } from '../ui/Panel.tsx';
import { ToneShape } from '../ui/ToneShape.tsx';
import { chargeLines, chargePanels, type LineName, lineText } from './charge-lines.ts';
import { LineChoice } from './LineChoice.tsx';
import styles from './readings.module.css';

const Chart = lazyPart(() => import('../ui/Chart.tsx'));

/** Minimum interval between fetches of a running charge. */
const askGapMs = 5_000;
const waitingHeightPx = 320;
/** A charge that has just begun gets an axis of a minute. */
const spanMinMs = 60_000;

type Flagged = { atMs: number; rule: string };

/** What the rules flagged, by its time: the doubted readings, and the order's flags that happened during the charge. */
function flaggedOf({ points, flags }: Pick<ChargeLog, 'points' | 'flags'>): Flagged[] {
  const doubted = points.flatMap(({ at, doubt }) => (doubt === null ? [] : [{ atMs: Date.parse(at), rule: doubt }]));
  const rules = new Set<string>(doubted.map(({ rule }) => rule satisfies ReadingDoubt));
  const noted = flags.flatMap(({ rule, at, evidence }) => {
    if (rules.has(rule)) return [];
    const told = evidence.to ?? evidence.lastReadingAt;
    return [{ atMs: Date.parse(typeof told === 'string' ? told : at), rule }];
  });
  return [...doubted, ...noted].sort((one, other) => one.atMs - other.atMs);
}

type Props = {
  orderId: OrderId;
  /** Where the reader points, in the rows or in the chart. */
  cursorMs: number | null;
  onPick: (atMs: number, charge: ChargeLog) => void;
};

/** One charge: its curves, what was flagged, what the battery asked for, and the prices below. */
export default function ChargeChart({ orderId, cursorMs, onPick }: Props) {
  const question = { params: { id: orderId } };
  const answer = useAnswer(getChargeLog, question, { keepPrevious: true });
  const [hidden, setHidden] = useState<ReadonlySet<LineName>>(new Set());
  const charge = answer.data;
  const askAgain = useAskAgain(getChargeLog, question, askGapMs, askGapMs);
  useConsoleEvents('order-changed', (event) => {
    if (event.orderId === orderId) askAgain();
  });
  const drawing = useMemo(() => {
    if (charge === undefined) return null;
    const lines = chargeLines(charge);
    const times = charge.points.map(({ at }) => Date.parse(at));
    const first = times[0];
    const last = times.at(-1);
    if (first === undefined || last === undefined || lines.size === 0) return null;
    const fromMs = first;
    const toMs = Math.max(last, first + spanMinMs);
    const { tariff, lines: bill } = charge;
    const stretches = bill === null ? [] : stretchesOf({ tariff, lines: bill }, fromMs, toMs);
    return { lines, fromMs, toMs, stretches, flagged: flaggedOf(charge) };
  }, [charge]);
  const chart = useMemo(() => {
    if (drawing === null || charge === undefined) return null;
    const { lines, fromMs, toMs, stretches, flagged } = drawing;
    const panels = chargePanels([{ id: 'charge', lines, nameOf: lineText }], hidden);
    const inside = (atMs: number) => atMs >= fromMs && atMs <= toMs;
    return {
      heightPx: panelsHeightPx(panels),
      hasPanels: panels.length > 0,
      option: linePanels({
        panels,
        fromX: fromMs,
        toX: toMs,
        isTime: true,
        markText: (atMs) => markText(atMs, toMs - fromMs),
        headText: clockSecondsText,
        rowsAt: (atMs) => priceRows(stretches, atMs),
        changes: stretches.slice(1).map((stretch) => stretch.fromMs),
        flags: flagged.map(({ atMs }) => atMs).filter(inside),
        cursor: cursorMs !== null && inside(cursorMs) ? cursorMs : null,
        gaps: gapsOf(charge.points.map(({ at }) => ({ atMs: Date.parse(at), ...unmeasured }))),
        gapText: phrase('readings.gap'),
      }),
    };
  }, [drawing, charge, hidden, cursorMs]);

  if (answer.isError && charge === undefined) {
    return (
      <Panel title={phrase('readings.chart')}>
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      </Panel>
    );
  }
  if (charge === undefined) {
    return (
      <Panel title={phrase('readings.chart')} flush>
        <div className={styles.waiting} style={{ height: waitingHeightPx }} />
      </Panel>
    );
  }
  return (
    <Panel
      title={phrase('readings.chart')}
      flush
      note={
        <span className={styles.source}>
          <ScreenLink screen={orderScreen(charge)} query={{ id: charge.id }}>
            {charge.number}
          </ScreenLink>
          {' · '}
          {phrase('readings.stationPort', { station: charge.stationNumber, port: charge.connectorNumber })}
          {charge.state === 'charging' ? ` · ${phrase('readings.running')}` : ''}
          {charge.source === 'curve' ? ` · ${phrase('readings.keptCurve')}` : ''}
        </span>
      }
    >
      {drawing === null || chart === null ? (
        <EmptyState title={phrase('readings.noCurve')} text={phrase('readings.noCurveText')} />
      ) : (
        <>
          <LineChoice known={new Set(drawing.lines.keys())} hidden={hidden} onChange={setHidden} />
          {chart.hasPanels ? (
            <Suspense fallback={<div style={{ height: chart.heightPx }} />}>
              <Chart
                // A chart of other panels is another chart.
                key={`${charge.id} ${[...hidden].join()}`}
                option={chart.option}
                heightPx={chart.heightPx}
                label={phrase('readings.chartLabel', {
                  from: clockText(drawing.fromMs),
                  to: clockText(drawing.toMs),
                  flags: drawing.flagged.length,
                })}
                onPick={(atMs) => onPick(atMs, charge)}
              />
            </Suspense>
          ) : null}
          <PriceStrip stretches={drawing.stretches} fromMs={drawing.fromMs} toMs={drawing.toMs} />
          {drawing.flagged.length === 0 ? null : (
            <ul className={styles.flags} aria-label={phrase('readings.flagsHead')}>
              {drawing.flagged.map(({ atMs, rule }) => (
                <li key={`${atMs} ${rule}`}>
                  <button type="button" className={styles.flag} onClick={() => onPick(atMs, charge)}>
                    <ToneShape tone="fault" sizePx={10} />
                    {phrase('readings.flagAt', { at: clockSecondsText(atMs), rule: wordFor('abnormal-rule', rule) })}
                  </button>
                </li>
              ))}
            </ul>
          )}
          <p className={styles.note}>{phrase('readings.pickHint')}</p>
        </>
      )}
    </Panel>
  );
}

/** `gapsOf` asks for the time of a point only. */
const unmeasured = { powerKw: null, energyKwh: null, socPercent: null };
