import { type DividerIncome, getDividerIncome } from '@voltdeck/contract/divider-income';
import type { DividerId } from '@voltdeck/units/id';
import { addFen, zeroFen } from '@voltdeck/units/money';
import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useMayGo } from '../session/use-go.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, moneyText, nothingText, percentText, yuanText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { dividerTermTones, settlementTones } from '../ui/state-colours.ts';
import styles from './dividers.module.css';
import { placeText } from './term-fields.tsx';

/** What a divider got: its money, where it shares, its days and its periods. Without an id, that of the divider who is signed in. */
export default function IncomePanels({ id }: { id: DividerId | null }) {
  const answer = useAnswer(getDividerIncome, { query: id === null ? {} : { dividerId: id } });
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 4 }} />;
  if (answer.data === undefined) return <ErrorState failure={answer.error} retry={() => void answer.refetch()} />;
  const income = answer.data;
  return (
    <div className={styles.page}>
      <Money income={income} isOwn={id === null} />
      <Terms income={income} />
      <div className={styles.columns}>
        <Days days={income.days} />
        <Periods periods={income.periods} />
      </div>
    </div>
  );
}

type MoneyProps = { income: DividerIncome; isOwn: boolean };

/** Leads to where the balance is withdrawn. */
function Withdraw({ income: { dividerId }, isOwn }: MoneyProps) {
  const mayGo = useMayGo();
  if (!mayGo('tixianRecods')) return phrase('dividerIncome.balanceHint');
  return (
    <ScreenLink screen="tixianRecods" query={isOwn ? {} : { dividerId }}>
      {phrase('dividerIncome.withdraw')}
    </ScreenLink>
  );
}

function Money({ income, isOwn }: MoneyProps) {
  const { dividerName, incomeFen, unpaidFen, balanceFen, days } = income;
  const figures = [
    { label: 'dividerIncome.incomeSoFar', value: incomeFen, note: null },
    { label: 'dividerIncome.unpaid', value: unpaidFen, note: phrase('dividerIncome.unpaidHint') },
    { label: 'dividerIncome.balance', value: balanceFen, note: <Withdraw income={income} isOwn={isOwn} /> },
    {
      label: 'dividerIncome.lastDays',
      value: days.length === 0 ? zeroFen : addFen(...days.map(({ amountFen }) => amountFen)),
      note: null,
    },
  ] as const;
  return (
    <Panel title={phrase('dividerIncome.figures')} note={dividerName}>
      <dl className={styles.figures}>
        {figures.map(({ label, value, note }) => (
          <div key={label}>
            <dt>{phrase(label)}</dt>
            <dd className="figure">
              {moneyText(value)}
              {note === null ? null : <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

type TableProps = { title: string; heads: readonly [first: string, ...others: string[]]; rows: ReactNode };

function FigureTable({ title, heads: [first, ...others], rows }: TableProps) {
  return (
    <div className={styles.scroll}>
      <ScrollRegion label={title}>
        <table className={styles.divided}>
          <thead>
            <tr>
              <th scope="col">{first}</th>
              {others.map((head) => (
                <th key={head} scope="col" className={styles.right}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{rows}</tbody>
        </table>
      </ScrollRegion>
    </div>
  );
}

/** Where it shares and how much of which fee: what a landlord compares with the contract. */
function Terms({ income: { terms, otherTerms } }: Pick<MoneyProps, 'income'>) {
  const title = phrase('dividers.terms');
  const note = phrase('dividerIncome.termsNote');
  return (
    <Panel title={title} {...(terms.length === 0 ? {} : { note })} flush>
      {terms.length === 0 ? (
        <p className={styles.padded}>{phrase('dividers.noTerms')}</p>
      ) : (
        <FigureTable
          title={title}
          heads={[
            phrase('dividers.place'),
            phrase('dividers.electricity'),
            phrase('dividers.service'),
            phrase('dividers.occupancy'),
            phrase('dividers.state'),
            phrase('dividers.from'),
            phrase('dividers.to'),
          ]}
          rows={terms.map(({ id, state, from, to, electricityPercent, servicePercent, occupancyPercent, ...where }) => (
            <tr key={id}>
              <th scope="row">{placeText(where)}</th>
              {[electricityPercent, servicePercent, occupancyPercent].map((percent, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of columns
                <td key={at} className={`figure ${styles.right}`}>
                  {percentText(percent)}
                </td>
              ))}
              <td className={styles.right}>
                <StateTag tone={dividerTermTones[state]}>{phrase(`term-state.${state}`)}</StateTag>
              </td>
              <td className={styles.right}>
                <Instant at={from} exact />
              </td>
              <td className={styles.right}>{to === null ? phrase('dividers.forEver') : <Instant at={to} exact />}</td>
            </tr>
          ))}
        />
      )}
      {otherTerms === 0 ? null : (
        <p className={styles.padded}>{phrase('dividerIncome.otherTerms', { count: countText(otherTerms) })}</p>
      )}
    </Panel>
  );
}

function Days({ days }: Pick<DividerIncome, 'days'>) {
  const title = phrase('dividerIncome.days');
  return (
    <Panel title={title} note={phrase('dividerIncome.daysNote')} flush>
      {days.length === 0 ? (
        <p className={styles.padded}>{phrase('dividerIncome.noDays')}</p>
      ) : (
        <FigureTable
          title={title}
          heads={[
            phrase('dividerIncome.day'),
            phrase('dividerIncome.orders'),
            phrase('dividerIncome.electricity'),
            phrase('dividerIncome.service'),
            phrase('dividerIncome.occupancy'),
            phrase('dividerIncome.sum'),
          ]}
          rows={days.map(({ day, orders, electricityFen, serviceFen, occupancyFen, amountFen }) => (
            <tr key={day}>
              <th scope="row" className="figure">
                {day}
              </th>
              <td className={`figure ${styles.right}`}>{countText(orders)}</td>
              {[electricityFen, serviceFen, occupancyFen, amountFen].map((fen, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of columns
                <td key={at} className={`figure ${styles.right}`}>
                  {yuanText(fen)}
                </td>
              ))}
            </tr>
          ))}
        />
      )}
    </Panel>
  );
}

function Periods({ periods }: Pick<DividerIncome, 'periods'>) {
  const title = phrase('dividerIncome.periods');
  return (
    <Panel title={title} flush>
      {periods.length === 0 ? (
        <p className={styles.padded}>{phrase('dividerIncome.noPeriods')}</p>
      ) : (
        <FigureTable
          title={title}
          heads={[
            phrase('dividerIncome.period'),
            phrase('dividerIncome.periodState'),
            phrase('dividerIncome.sharesOf'),
            phrase('dividerIncome.carriedIn'),
            phrase('dividerIncome.net'),
            phrase('dividerIncome.paidOutFen'),
            phrase('dividerIncome.paidOutAt'),
          ]}
          rows={periods.map(({ id, from, to, state, sharesFen, carriedInFen, netFen, paidOutFen, paidOutAt }) => (
            <tr key={id}>
              <th scope="row" className="figure">
                {from === to ? from : `${from} – ${to}`}
              </th>
              <td className={styles.right}>
                <StateTag tone={settlementTones[state]}>{phrase(`settlement-state.${state}`)}</StateTag>
              </td>
              <td className={`figure ${styles.right}`}>{yuanText(sharesFen)}</td>
              <td className={`figure ${styles.right}`}>
                {carriedInFen === null ? nothingText : yuanText(carriedInFen)}
              </td>
              <td className={`figure ${styles.right}`}>{netFen === null ? nothingText : yuanText(netFen)}</td>
              <td className={`figure ${styles.right}`}>{paidOutFen === null ? nothingText : yuanText(paidOutFen)}</td>
              <td className={styles.right}>{paidOutAt === null ? nothingText : <Instant at={paidOutAt} />}</td>
            </tr>
          ))}
        />
      )}
    </Panel>
  );
}
