import { attemptsBehind, getQualityLeague, type LeagueSubject, leagueSubjects } from '@voltdeck/contract/quality';
import type { AnswerOf } from '@voltdeck/contract/route';
import { Segmented, Skeleton } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { type PhraseKey, phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, shareText } from '../ui/figures.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { useAddress } from '../ui/use-address.ts';
import { useNarrow } from '../ui/use-narrow.ts';
import styles from './quality.module.css';
import type { QualityQuery } from './quality-query.ts';

type Row = AnswerOf<typeof getQualityLeague>['rows'][number];
type Name = 'make' | 'model' | 'firmware' | 'siteName';

/** Makes, models, firmware or sites, the best first. */
export function League({ query }: { query: QualityQuery }) {
  const [search, setSearch] = useAddress();
  const by = leagueSubjects.find((each) => each === search.get('by')) ?? 'make';
  const answer = useAnswer(getQualityLeague, { query: { ...query, by } }, { keepPrevious: true });
  return (
    <Panel
      title={phrase('quality.league')}
      tools={
        <Segmented<LeagueSubject>
          aria-label={phrase('quality.leagueBy')}
          value={by}
          options={leagueSubjects.map((value) => ({ value, label: phrase(`league-subject.${value}`) }))}
          onChange={(value) =>
            setSearch(
              (next) => {
                next.set('by', value);
                return next;
              },
              { replace: true },
            )
          }
        />
      }
    >
      {answer.isPending ? (
        <Skeleton active />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <>
          <p className={styles.note}>{phrase('quality.leagueNote', { min: answer.data.visitsMin })}</p>
          <LeagueTable rows={answer.data.rows} by={by} query={query} />
        </>
      )}
    </Panel>
  );
}

/** What names a row, in columns; sites have one of their own. */
const namesBy: Readonly<Record<LeagueSubject, readonly Name[]>> = {
  make: ['make'],
  model: ['make', 'model'],
  firmware: ['make', 'model', 'firmware'],
  site: ['siteName'],
};
const titles: Readonly<Record<Name, PhraseKey>> = {
  make: 'quality.make',
  model: 'quality.model',
  firmware: 'quality.firmware',
  siteName: 'quality.site',
};

function LeagueTable({ rows, by, query }: { rows: readonly Row[]; by: LeagueSubject; query: QualityQuery }) {
  const isNarrow = useNarrow();
  const names = namesBy[by];
  return (
    <ScrollRegion label={phrase('quality.league')}>
      <table className={styles.table} aria-label={phrase('quality.league')}>
        <thead>
          <tr>
            <th scope="col">{phrase('quality.rank')}</th>
            {isNarrow ? (
              <th scope="col">{phrase(`league-subject.${by}`)}</th>
            ) : (
              names.map((name) => (
                <th key={name} scope="col">
                  {phrase(titles[name])}
                </th>
              ))
            )}
            <th scope="col">{phrase('quality.firstTime')}</th>
            <th scope="col">{phrase('quality.attempts')}</th>
            <th scope="col">{phrase('start-step.energised')}</th>
            <th scope="col">{phrase('quality.endedClean')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.make} ${row.model} ${row.firmware} ${row.siteId}`}>
              <td>{row.rank ?? <span className={styles.more}>{phrase('quality.unranked')}</span>}</td>
              {isNarrow ? (
                <th scope="row">{[...new Set(names.map((name) => nameIn(row, name)))].join(' · ')}</th>
              ) : (
                names.map((name) => (
                  <th key={name} scope="row">
                    {nameIn(row, name)}
                  </th>
                ))
              )}
              <td>{shareText(row.firstTimes, row.visits)}</td>
              <td>
                <ScreenLink
                  screen="startFunnel"
                  query={{ ...query, view: 'attempts', ...attemptsBehind.leagueRow(row) }}
                >
                  {countText(row.attempts)}
                </ScreenLink>
              </td>
              <td>{shareText(row.energised, row.attempts)}</td>
              <td>{shareText(row.endedClean, row.attempts)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function nameIn(row: Row, name: Name): string {
  return row[name] || (name === 'siteName' ? String(row.siteId) : phrase('quality.unreported'));
}
