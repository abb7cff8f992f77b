import { type getBigScreen, powerSampleMs } from '@voltdeck/contract/big-screen';
import type { AnswerOf } from '@voltdeck/contract/route';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { ScreenPanel, type Told } from './ScreenPanel.tsx';
import styles from './screen.module.css';
import { hoursOption, powerOption } from './screen-curves.ts';
import { samplePoints } from './screen-figures.ts';

const Chart = lazyPart(() => import('../ui/Chart.tsx'));

type Screen = AnswerOf<typeof getBigScreen>;

/** The size of text in the wall's own measure, which a canvas cannot inherit. */
function useFontPx(): [box: React.RefObject<HTMLDivElement | null>, fontPx: number] {
  const box = useRef<HTMLDivElement>(null);
  const [fontPx, setFontPx] = useState(16);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() => setFontPx(Number.parseFloat(getComputedStyle(current).fontSize)));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [box, fontPx];
}

/** The power of the last 24 hours beside what each hour brought. */
export function ScreenCurves({ screen, now, past }: { screen: Screen | undefined; now: Told; past: Told }) {
  const [box, fontPx] = useFontPx();
  const power = screen?.past.power;
  const hours = screen?.now.hours;
  const powerCurve = useMemo(() => {
    if (power === undefined) return null;
    const points = (valuesW: readonly (number | null)[]) =>
      samplePoints(Date.parse(power.from), powerSampleMs, valuesW);
    return powerOption({ fourWheel: points(power.fourWheelW), twoWheel: points(power.twoWheelW) }, fontPx);
  }, [power, fontPx]);
  const hourBars = useMemo(
    () =>
      hours === undefined
        ? null
        : hoursOption(
            hours.map((hour) => ({ ...hour, atMs: Date.parse(hour.at) })),
            fontPx,
          ),
    [hours, fontPx],
  );
  const hasGaps = power?.fourWheelW.includes(null) ?? false;
  return (
    <div ref={box} className={styles.curves}>
      <ScreenPanel title={phrase('screen.powerCurve')} told={past} isGrowing tools={<KindKeys />}>
        <div className={styles.chart}>
          <Suspense>
            {powerCurve === null ? null : (
              <Chart option={powerCurve} heightPx="fill" label={phrase('screen.powerLabel')} />
            )}
          </Suspense>
        </div>
        {hasGaps ? <p className={styles.note}>{phrase('screen.powerSince')}</p> : null}
      </ScreenPanel>
      <ScreenPanel
        title={phrase('screen.hours')}
        told={now}
        isGrowing
        tools={
          <ul className={styles.keys}>
            <li>
              <i data-key="bar" />
              {phrase('screen.income')} (¥)
            </li>
            <li>
              <i data-key="line" />
              kWh
            </li>
          </ul>
        }
      >
        <div className={styles.chart}>
          <Suspense>
            {hourBars === null ? null : <Chart option={hourBars} heightPx="fill" label={phrase('screen.hoursLabel')} />}
          </Suspense>
        </div>
      </ScreenPanel>
    </div>
  );
}

function KindKeys() {
  return (
    <ul className={styles.keys}>
      <li>
        <i data-key="four-wheel" />
        {phrase('equipment-type.four-wheel')}
      </li>
      <li>
        <i data-key="two-wheel" />
        {phrase('equipment-type.two-wheel')}
      </li>
    </ul>
  );
}
