import { Tooltip } from 'antd';
import { phrase } from '../phrases.ts';
import { priceText } from '../ui/figures.ts';
import { plotInsetPx } from '../ui/line-panels.ts';
import { periodColours } from '../ui/state-colours.ts';
import { clockText } from './charge-chart.ts';
import styles from './order-page.module.css';
import { PeriodChip } from './PeriodChip.tsx';
import { type PriceStretch, stripOf } from './price-stretches.ts';
import { wordFor } from './words.ts';

/** Narrower pieces have no room for a price; the tooltip and the legend show it. */
const labelledFrom = 0.14;
const namedFrom = 0.05;

/** The price per kWh over time, aligned with the time axis of the curve above. */
export function PriceStrip({
  stretches,
  fromMs,
  toMs,
}: {
  stretches: readonly PriceStretch[];
  fromMs: number;
  toMs: number;
}) {
  const pieces = stripOf(stretches, fromMs, toMs);
  if (pieces.length === 0) return <p className={styles.gapNote}>{phrase('orders.noPrice')}</p>;
  const periods = [...new Map(pieces.map((piece) => [piece.period, piece])).values()];
  return (
    <div className={styles.strip} style={{ marginLeft: plotInsetPx.left, marginRight: plotInsetPx.right }}>
      <div className={styles.stripBar}>
        {pieces.map((piece) => {
          const price = priceText(piece.electricityPriceE5 + piece.servicePriceE5);
          const name = wordFor('period', piece.period);
          return (
            <Tooltip
              key={piece.fromMs}
              title={
                <>
                  {clockText(piece.fromMs)}–{clockText(piece.toMs)} {name}
                  <br />
                  {phrase('orders.electricityPrice')} {priceText(piece.electricityPriceE5)}
                  <br />
                  {phrase('orders.servicePrice')} {priceText(piece.servicePriceE5)}
                </>
              }
            >
              <div
                className={styles.stripPiece}
                style={{
                  left: `${piece.left * 100}%`,
                  width: `${piece.width * 100}%`,
                  ['--piece' as string]: periodColours[piece.period],
                }}
              >
                {piece.width < namedFrom ? null : (
                  <span>
                    {name}
                    {piece.width < labelledFrom ? null : <span className={styles.stripPrice}>{price}</span>}
                  </span>
                )}
              </div>
            </Tooltip>
          );
        })}
      </div>
      <ul className={styles.stripLegend} aria-label={phrase('orders.pricesInForce')}>
        {periods.map((piece) => (
          <li key={piece.period}>
            <PeriodChip period={piece.period} />
            <span className="figure">
              {phrase('orders.pricePerKwh', { price: priceText(piece.electricityPriceE5 + piece.servicePriceE5) })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
