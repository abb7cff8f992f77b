import { Breadcrumb } from 'antd';
import { useEffect, useState } from 'react';
import { language } from '../language.ts';
import { phrase } from '../phrases.ts';
import styles from './home.module.css';
import { type RegionStep, regionTrail } from './region-trail.ts';

/** Country > province > city, each of them a link back. */
export function RegionTrail({ code, onGo }: { code: string | null; onGo: (code: string | null) => void }) {
  const [steps, setSteps] = useState<readonly RegionStep[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void (code === null ? Promise.resolve([]) : regionTrail(code, language)).then((trail) => {
      if (isCurrent) setSteps(trail);
    });
    return () => {
      isCurrent = false;
    };
  }, [code]);
  const items = [{ code: null, name: phrase('overview.country') }, ...steps];
  return (
    <nav className={styles.trail} aria-label={phrase('overview.region')}>
      <Breadcrumb
        items={items.map((step, index) => ({
          key: step.code ?? 'all',
          title:
            index === items.length - 1 ? (
              <span aria-current="location">{step.name}</span>
            ) : (
              <button type="button" className={styles.trailButton} onClick={() => onGo(step.code)}>
                {step.name}
              </button>
            ),
        }))}
      />
    </nav>
  );
}
