import type { SiteDetail } from '@voltdeck/contract/sites';
import { dayMs, instant, minuteMs, shanghaiTimeOfDayMs } from '@voltdeck/units/instant';
import { useEffect, useState } from 'react';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { moneyText, nothingText, priceText, yuanText } from '../ui/figures.ts';
import { type PriceNow, priceNow } from '../ui/price-now.ts';
import { periodColours } from '../ui/state-colours.ts';
import { pricedSlots } from './priced-slots.ts';
import styles from './sites.module.css';

type Tariff = SiteDetail['tariffs'][number];

/** The prices of the site by billing rule: now, and over the day. */
export function SitePrices({ tariffs }: { tariffs: readonly Tariff[] }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  if (tariffs.length === 0) return <span className={styles.quiet}>{phrase('sites.noPrices')}</span>;
  return (
    <ul className={styles.tariffs}>
      {tariffs.map((tariff) => (
        <li key={tariff.id}>
          <div className={styles.tariffHead}>
            <ScreenLink screen="rulesList" query={{ name: tariff.name }}>
              {tariff.name}
            </ScreenLink>
            <span className={styles.quiet}>{phrase('sites.usedBy', { count: tariff.stationCount })}</span>
          </div>
          <div className="figure">{priceNowText(priceNow(tariff.detail, nowMs))}</div>
          <PricedDay detail={tariff.detail} nowMs={nowMs} />
        </li>
      ))}
    </ul>
  );
}

/** A shorter slot has no room for its name; its tooltip has it. */
const minutesPerLetter = 35;

/** The day's slots by colour, width and word, with a mark at the present minute. */
function PricedDay({ detail, nowMs }: { detail: Tariff['detail']; nowMs: number }) {
  const slots = pricedSlots(detail);
  if (slots.length === 0) return null;
  return (
    <div className={styles.strip}>
      <ol className={styles.stripBar} aria-label={phrase('sites.pricesOver')}>
        {slots.map(({ start, end, period, minutes, electricityE5, serviceE5 }) => {
          const name = phrase(`period.${period}`);
          const text = phrase('sites.priceSlot', {
            start,
            end,
            period: name,
            electricity: priceText(electricityE5),
            service: priceText(serviceE5),
          });
          return (
            <li key={start} title={text} style={{ flexGrow: minutes, ['--piece' as string]: periodColours[period] }}>
              <span className="for-readers">{text}</span>
              <span aria-hidden="true">{minutes < name.length * minutesPerLetter ? '' : name}</span>
            </li>
          );
        })}
      </ol>
      <i
        className={styles.now}
        style={{ insetInlineStart: `${(shanghaiTimeOfDayMs(instant(nowMs)) / dayMs) * 100}%` }}
        aria-hidden="true"
      />
      <div className={styles.hours} aria-hidden="true">
        {['00:00', '06:00', '12:00', '18:00', '24:00'].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
    </div>
  );
}

function priceNowText(price: PriceNow | null): string {
  if (price === null) return nothingText;
  if (price.kind === 'hour') {
    const { lowestFen, highestFen, stepMinutes: minutes } = price;
    const fee = lowestFen === highestFen ? moneyText(lowestFen) : `${moneyText(lowestFen)}–${yuanText(highestFen)}`;
    return phrase('sites.pricePerStep', { fee, minutes });
  }
  return phrase('sites.priceNow', {
    price: priceText(price.priceE5),
    period: phrase(`period.${price.period}`),
    until: price.until,
  });
}
