import { getPartyIncome } from '@voltdeck/contract/agent-withdrawals';
import type { AgentId } from '@voltdeck/units/id';
import { useSearchParams } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useSession } from '../session/session.ts';
import { countText, moneyText } from '../ui/figures.ts';
import styles from './agent-withdrawals.module.css';
import { useChosenDivider } from './chosen-divider.ts';

/** Income and balance of the caller's own, of the agent or divider that is filtered by, or for the platform of all. */
export function IncomeFigures() {
  const { dataScope } = useSession().user;
  const isPlatform = dataScope === 'platform';
  const dividerId = useChosenDivider();
  const [search] = useSearchParams();
  const agentId = Number(search.get('agentId'));
  const isOne = isPlatform && Number.isSafeInteger(agentId) && agentId > 0;
  const ofDivider = dividerId === undefined ? {} : { dividerId };
  const query = isOne ? { agentId: agentId as AgentId } : ofDivider;
  const { data, isError, isPlaceholderData } = useAnswer(getPartyIncome, { query }, { keepPrevious: true });
  // An agent's own, without those of its dividers, which the list has too.
  const ofAgent = dataScope === 'agent' && dividerId === undefined ? { party: ['agent' as const] } : {};
  const bone = <span className={styles.bone} />;
  const figures = [
    ['income', data?.incomeFen],
    ['balance', data?.balanceFen],
    ['unpaid', data?.unpaidFen],
    ['frozen', data?.frozenFen],
    ['withdrawn', data?.withdrawnFen],
  ] as const;
  return (
    <section className={styles.strip} aria-label={phrase('agent-withdrawals.figures')}>
      {isError ? (
        <p className={styles.said}>{phrase('agent-withdrawals.figuresFailed')}</p>
      ) : (
        <dl className={styles.figures} aria-busy={data === undefined} data-old={isPlaceholderData}>
          {figures.map(([name, amountFen]) => (
            <div key={name} data-figure={name}>
              <dt>{phrase(`agent-withdrawals.figure.${name}`)}</dt>
              <dd className="figure">{amountFen === undefined ? bone : moneyText(amountFen)}</dd>
              <dd className={styles.note}>{phrase(`agent-withdrawals.note.${name}`)}</dd>
            </div>
          ))}
          <div data-figure="waiting">
            <dt>{phrase('agent-withdrawals.figure.waiting')}</dt>
            <dd className="figure">
              {data === undefined ? (
                bone
              ) : (
                <ScreenLink screen="tixianRecods" query={{ ...query, ...ofAgent, state: ['waiting'] }}>
                  {phrase('agent-withdrawals.waitingCount', { count: countText(data.waiting) })}
                </ScreenLink>
              )}
            </dd>
            <dd className={styles.note}>{data === undefined ? '' : moneyText(data.waitingFen)}</dd>
          </div>
        </dl>
      )}
    </section>
  );
}
