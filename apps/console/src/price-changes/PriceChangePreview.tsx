import { previewPriceChange } from '@voltdeck/contract/price-changes';
import type { AnswerOf } from '@voltdeck/contract/route';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { Refused } from '../api/refused.ts';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import styles from './price-changes.module.css';

type Values = Readonly<Record<string, unknown>>;
type Preview = AnswerOf<typeof previewPriceChange>;

/** Long enough to choose the next of several sites. */
const pauseMs = 400;

/** The parts of the form that decide what happens; null until they are complete. */
function targetsOf({ by, siteIds, stationIds, usedRuleId, slots, ruleId, effectiveAt }: Values): string | null {
  const chosen = by === 'sites' ? { siteIds } : by === 'stations' ? { stationIds } : { usedRuleId };
  const isChosen = Object.values(chosen).every((value) => value !== undefined && value !== null);
  if (!isChosen || typeof ruleId !== 'number' || typeof effectiveAt !== 'string') return null;
  return JSON.stringify({ by, ...chosen, slots, ruleId, effectiveAt });
}

/** What the price change will do, in numbers, while the form is being filled in. */
export function PriceChangePreview({ values }: { values: Values }) {
  const targets = targetsOf(values);
  const [told, setTold] = useState<{ of: string; preview: Preview | null } | null>(null);
  useEffect(() => {
    if (targets === null) return;
    const question = new AbortController();
    const pause = setTimeout(async () => {
      try {
        const body = JSON.parse(targets) as never;
        const preview = await call(previewPriceChange, { body, signal: question.signal, quiet: true });
        setTold({ of: targets, preview });
      } catch (failure) {
        // Faults are shown when the form is submitted.
        if (failure instanceof Refused) setTold({ of: targets, preview: null });
      }
    }, pauseMs);
    return () => {
      clearTimeout(pause);
      question.abort();
    };
  }, [targets]);
  const preview = told !== null && told.of === targets ? told.preview : null;
  return (
    <div className={styles.preview} role="status">
      <strong>{phrase('priceChanges.preview')}</strong>
      {preview === null ? (
        <p>{phrase('priceChanges.previewWaits')}</p>
      ) : (
        <ul>
          {linesOf(preview).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function linesOf(preview: Preview): string[] {
  const { stations, sites, billing, billingOffline, fourWheelByTime, charging, same, planned } = preview;
  const counts = (names: Record<string, number>) =>
    Object.fromEntries(Object.entries(names).map(([name, count]) => [name, countText(count)]));
  return [
    phrase('priceChanges.previewStations', counts({ stations, sites })),
    billing === 0
      ? phrase('priceChanges.previewAtOnce')
      : phrase('priceChanges.previewBilling', counts({ billing, offline: billingOffline })),
    ...(fourWheelByTime === 0 ? [] : [phrase('priceChanges.previewFourWheel', counts({ fourWheel: fourWheelByTime }))]),
    ...(charging === 0 ? [] : [phrase('priceChanges.previewCharging', counts({ charging }))]),
    ...(same === 0 ? [] : [phrase('priceChanges.previewSame', counts({ same }))]),
    ...(planned === 0 ? [] : [phrase('priceChanges.previewPlanned', counts({ planned }))]),
  ];
}
