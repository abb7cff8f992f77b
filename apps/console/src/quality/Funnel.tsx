import { attemptsBehind, type getQuality } from '@voltdeck/contract/quality';
import type { AnswerOf } from '@voltdeck/contract/route';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { countText, shareText } from '../ui/figures.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import styles from './quality.module.css';
import type { QualityQuery } from './quality-query.ts';

export type Quality = AnswerOf<typeof getQuality>;
type Props = { quality: Quality; query: QualityQuery };

/** The steps as bars with their numbers, and beside them why attempts fell out. */
export function Funnel({ quality, query }: Props) {
  return (
    <div className={styles.funnelAndReasons}>
      <Panel title={phrase('quality.funnel')} note={`${quality.fromOn} – ${quality.toOn}`}>
        <p className={styles.note}>{phrase('quality.funnelNote')}</p>
        <Steps quality={quality} query={query} />
      </Panel>
      <Panel title={phrase('quality.dropOuts')}>
        <p className={styles.note}>{phrase('quality.dropOutsNote')}</p>
        <DropOuts quality={quality} query={query} />
      </Panel>
    </div>
  );
}

function Steps({ quality: { steps }, query }: Props) {
  const all = steps[0]?.attempts ?? 0;
  return (
    <ol className={styles.steps}>
      {steps.map(({ step, attempts, underWay }, index) => {
        const before = steps[index - 1]?.attempts;
        return (
          <li key={step} className={styles.step}>
            <span className={styles.stepName}>{phrase(`start-step.${step}`)}</span>
            <ScreenLink screen="startFunnel" query={{ ...query, view: 'attempts', ...attemptsBehind.step(step) }}>
              {phrase('quality.attemptsThere', { count: countText(attempts) })}
            </ScreenLink>
            <span className={styles.track} aria-hidden="true">
              <span className={styles.bar} style={{ width: `${all === 0 ? 0 : (100 * attempts) / all}%` }} />
            </span>
            <span className={styles.stepNote}>
              {before === undefined ? null : phrase('quality.ofBefore', { percent: shareText(attempts, before) })}
              {underWay === 0 ? null : (
                <>
                  {before === undefined ? null : ' · '}
                  <ScreenLink
                    screen="startFunnel"
                    query={{ ...query, view: 'attempts', ...attemptsBehind.underWay(step) }}
                  >
                    {phrase('quality.underWay', { count: countText(underWay) })}
                  </ScreenLink>
                </>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function DropOuts({ quality: { steps }, query }: Props) {
  const all = steps[0]?.attempts ?? 0;
  const rows = steps.flatMap(({ step, dropOuts }) => dropOuts.map((row) => ({ step, ...row })));
  if (rows.length === 0) return <p>{phrase('quality.noDropOuts')}</p>;
  return (
    <ScrollRegion label={phrase('quality.dropOuts')}>
      <table className={styles.table} aria-label={phrase('quality.dropOuts')}>
        <thead>
          <tr>
            <th scope="col">{phrase('quality.stoppedAt')}</th>
            <th scope="col">{phrase('quality.dropOut')}</th>
            <th scope="col">{phrase('quality.attempts')}</th>
            <th scope="col">{phrase('quality.shareOfAsked')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ step, dropOut, attempts }) => (
            <tr key={`${step} ${dropOut}`}>
              <td>{phrase(`start-step.${step}`)}</td>
              <th scope="row">
                <ScreenLink
                  screen="startFunnel"
                  query={{ ...query, view: 'attempts', ...attemptsBehind.dropOut(step, dropOut) }}
                >
                  {phrase(`start-drop-out.${dropOut}`)}
                </ScreenLink>
              </th>
              <td>{countText(attempts)}</td>
              <td>{shareText(attempts, all)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
