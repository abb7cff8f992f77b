import { type getBigScreen, type ScreenRanking, screenRankings } from '@voltdeck/contract/big-screen';
import type { AnswerOf } from '@voltdeck/contract/route';
import { useEffect, useState } from 'react';
import { phrase } from '../phrases.ts';
import { countText, energyText, moneyText } from '../ui/figures.ts';
import { ScreenPanel, type Told } from './ScreenPanel.tsx';
import styles from './screen.module.css';
import { nextRanking, rankedValue } from './screen-figures.ts';
import { useIsVisible } from './screen-hearing.ts';

type Screen = AnswerOf<typeof getBigScreen>;

/** How long each ranking stands. */
const turnMs = 12_000;

const valueText: Readonly<Record<ScreenRanking, (value: number) => string>> = {
  receivable: moneyText,
  energy: (energyWh) => `${energyText(energyWh)} kWh`,
  orders: countText,
};

/**
 * The best sites of today by one figure after another. Who chooses one keeps it, it rests under a pointer, and nothing
 * turns for those who want less motion.
 */
export function ScreenRankings({ screen, told }: { screen: Screen | undefined; told: Told }) {
  const [by, setBy] = useState<ScreenRanking>('receivable');
  const [isChosen, setIsChosen] = useState(false);
  const [isHeld, setIsHeld] = useState(false);
  const turns = useIsVisible() && !isChosen && !isHeld;
  useEffect(() => {
    if (!turns || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timer = setInterval(() => setBy((now) => nextRanking(now, screenRankings)), turnMs);
    return () => clearInterval(timer);
  }, [turns]);
  const sites = screen?.past.rankings[by];
  const best = Math.max(1, ...(sites ?? []).map(rankedValue[by]));
  return (
    <ScreenPanel title={phrase('screen.rankings')} told={told} isGrowing>
      <div className={styles.ranking} onPointerEnter={() => setIsHeld(true)} onPointerLeave={() => setIsHeld(false)}>
        <div className={styles.turns}>
          {screenRankings.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === by}
              onClick={() => {
                setBy(one);
                setIsChosen(true);
              }}
            >
              {phrase(`screen.ranking.${one}`)}
            </button>
          ))}
        </div>
        {sites?.length === 0 ? (
          <p className={styles.nobody}>{phrase('screen.noSales')}</p>
        ) : (
          <ol className={styles.best}>
            {sites?.map((site) => {
              const value = rankedValue[by](site);
              return (
                <li key={site.siteId}>
                  <span className={styles.name}>{site.siteName}</span>
                  <span className="figure">{valueText[by](value)}</span>
                  <i aria-hidden="true">
                    <i style={{ width: `${(100 * value) / best}%` }} />
                  </i>
                </li>
              );
            })}
          </ol>
        )}
      </div>
    </ScreenPanel>
  );
}
