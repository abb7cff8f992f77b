import { listPullChanges, type PartnerPull, pullChangesMax } from '@voltdeck/contract/partner-pulls';
import { Skeleton } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { nothingText } from '../ui/figures.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import styles from './interop.module.css';

/** Which sites one sync found added, changed or gone, what it could not read, and why it failed. */
export function PullChanges({ pull: { id, partnerId, fault, failure } }: { pull: PartnerPull }) {
  const answer = useAnswer(listPullChanges, { params: { id } });
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 2 }} />;
  if (answer.data === undefined) return <ErrorState failure={answer.error} retry={() => void answer.refetch()} />;
  const { items } = answer.data;
  return (
    <div className={styles.changes}>
      {fault === null ? null : (
        <p className={styles.intro}>
          {phrase(`partner-fault.${fault}`)} {failure} {phrase(`partner-advice.${fault}`)}
        </p>
      )}
      {items.length === 0 ? (
        fault === null && phrase('pulls.noChanges')
      ) : (
        <ScrollRegion label={phrase('pulls.change')}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th>{phrase('pulls.change')}</th>
                <th>{phrase('pulls.name')}</th>
                <th>{phrase('pulls.code')}</th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ change, code, name }) => (
                <tr key={`${change} ${code}`}>
                  <td>{phrase(`pull-change.${change}`)}</td>
                  <td>{name || nothingText}</td>
                  <td>
                    {change === 'left_out' ? (
                      code
                    ) : (
                      <ScreenLink screen="stationList" query={{ code, partnerId }}>
                        {code}
                      </ScreenLink>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {items.length < pullChangesMax ? null : <p>{phrase('pulls.firstChanges', { count: pullChangesMax })}</p>}
    </div>
  );
}
