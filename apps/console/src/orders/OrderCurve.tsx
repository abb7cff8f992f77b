import { listOrderReadings, type OrderDetail } from '@voltdeck/contract/orders';
import { Segmented } from 'antd';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { useConsoleEvents } from '../api/events.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { nothingText, priceText } from '../ui/figures.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { chargeChart, chartHeightPx, clockSecondsText, clockText } from './charge-chart.ts';
import { type CurvePoint, curveFacts, curveOf, extendCurve, gapsOf, thinCurve, withEnds } from './curve.ts';
import styles from './order-page.module.css';
import { PriceStrip } from './PriceStrip.tsx';
import type { PriceStretch } from './price-stretches.ts';
import { stretchesOf } from './stretches-of.ts';
import { durationText, wordFor } from './words.ts';

const Chart = lazyPart(() => import('../ui/Chart.tsx'));

/** Maximum number of rows in the table of figures. */
const tableRowsMax = 240;

/** The charging curve with the prices below. */
export function OrderCurve({ order }: { order: OrderDetail }) {
  const [shown, setShown] = useState<'chart' | 'table'>('chart');
  const readings = useAnswer(listOrderReadings, { params: { id: order.id } }, { enabled: order.startedAt !== null });
  const [later, setLater] = useState<readonly CurvePoint[]>([]);
  const asked = readings.data;
  useEffect(() => {
    if (asked !== undefined) setLater([]);
  }, [asked]);
  useConsoleEvents('order-changed', (event) => {
    if (event.orderId !== order.id || event.state !== 'charging') return;
    const { energyWh, powerW, socPercent } = event;
    const point = {
      atMs: Date.parse(event.at),
      energyKwh: energyWh / 1000,
      powerKw: powerW === null ? null : powerW / 1000,
      socPercent,
    };
    setLater((points) => extendCurve(points, point));
  });

  const startedAtMs = order.startedAt === null ? null : Date.parse(order.startedAt);
  const endedAtMs = order.endedAt === null ? null : Date.parse(order.endedAt);
  const points = useMemo(() => {
    const known = curveOf(asked ?? []);
    const lastMs = known.at(-1)?.atMs ?? 0;
    const curve = thinCurve([...known, ...later.filter((point) => point.atMs > lastMs)]);
    return startedAtMs === null ? curve : withEnds(curve, { startedAtMs, endedAtMs, energyWh: order.energyWh });
  }, [asked, later, startedAtMs, endedAtMs, order.energyWh]);
  const drawing = useMemo(() => {
    const first = points[0];
    const last = points.at(-1);
    if (first === undefined || last === undefined) return null;
    const startMs = first.atMs;
    const endMs = Math.max(last.atMs, startMs + 60_000);
    const stretches = stretchesOf(order, startMs, endMs);
    const input = { points, gaps: gapsOf(points), stretches, fromMs: startMs, toMs: endMs };
    return { ...input, option: chargeChart(input) };
  }, [points, order]);

  if (order.startedAt === null) return null;
  const facts = curveFacts(points);
  const gap = drawing?.gaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) ?? 0;
  return (
    <Panel
      title={phrase('orders.curve')}
      flush
      note={
        facts.peakKw === null ? undefined : (
          <span className="figure">
            {phrase('orders.curveFacts', {
              peak: facts.peakKw.toFixed(1),
              mean: facts.meanKw === null ? nothingText : facts.meanKw.toFixed(1),
            })}
            {facts.fromSoc === null || facts.toSoc === null
              ? ` · ${phrase('orders.noSoc')}`
              : ` · ${phrase('orders.socFromTo', { from: Math.round(facts.fromSoc), to: Math.round(facts.toSoc) })}`}
          </span>
        )
      }
      tools={
        points.length === 0 ? undefined : (
          <Segmented
            size="small"
            value={shown}
            onChange={setShown}
            options={[
              { value: 'chart', label: phrase('orders.asChart') },
              { value: 'table', label: phrase('orders.asTable') },
            ]}
          />
        )
      }
    >
      {readings.isError && readings.data === undefined ? (
        <ErrorState failure={readings.error} retry={() => void readings.refetch()} />
      ) : readings.isPending ? (
        <div className={styles.chartWaiting}>
          <div className={styles.block} style={{ height: chartHeightPx - 24 }} />
        </div>
      ) : drawing === null ? (
        <EmptyState title={phrase('orders.noCurve')} text={phrase('orders.noCurveText')} />
      ) : shown === 'table' ? (
        <CurveTable points={points} stretches={drawing.stretches} />
      ) : (
        <>
          {gap === 0 ? null : (
            <p className={styles.gapNote}>{phrase('orders.gaps', { duration: durationText(gap) })}</p>
          )}
          <Suspense fallback={<div style={{ height: chartHeightPx }} />}>
            <Chart
              option={drawing.option}
              heightPx={chartHeightPx}
              label={phrase('orders.curveLabel', {
                from: clockText(drawing.fromMs),
                to: clockText(drawing.toMs),
                peak: facts.peakKw === null ? nothingText : facts.peakKw.toFixed(1),
              })}
            />
          </Suspense>
          <PriceStrip stretches={drawing.stretches} fromMs={drawing.fromMs} toMs={drawing.toMs} />
        </>
      )}
    </Panel>
  );
}

function CurveTable({ points, stretches }: { points: readonly CurvePoint[]; stretches: readonly PriceStretch[] }) {
  const rows = thinCurve(points, tableRowsMax);
  return (
    <ScrollRegion className={styles.scrollTable} label={phrase('orders.curve')}>
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">{phrase('orders.time')}</th>
            <th scope="col" className={styles.right}>{`${phrase('orders.power')} (kW)`}</th>
            <th scope="col" className={styles.right}>{`${phrase('orders.soc')} (%)`}</th>
            <th scope="col" className={styles.right}>{`${phrase('orders.energy')} (kWh)`}</th>
            <th scope="col">{phrase('orders.period')}</th>
            <th scope="col" className={styles.right}>
              {phrase('orders.priceHead')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => {
            const price =
              stretches.find((stretch) => point.atMs >= stretch.fromMs && point.atMs < stretch.toMs) ??
              stretches.at(-1);
            return (
              <tr key={point.atMs}>
                <td className="figure">{clockSecondsText(point.atMs)}</td>
                <td className={styles.right}>{point.powerKw?.toFixed(1) ?? nothingText}</td>
                <td className={styles.right}>{point.socPercent?.toFixed(0) ?? nothingText}</td>
                <td className={styles.right}>{point.energyKwh?.toFixed(3) ?? nothingText}</td>
                <td>{price === undefined ? nothingText : wordFor('period', price.period)}</td>
                <td className={styles.right}>
                  {price === undefined ? nothingText : priceText(price.electricityPriceE5 + price.servicePriceE5)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
