import { InfoCircleOutlined } from '@ant-design/icons';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { ScreenQuery } from '@voltdeck/contract/screens';
import type { ComparedWith, getSalesSummary } from '@voltdeck/contract/statistics';
import { instant, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import { Popover, Skeleton } from 'antd';
import { useState } from 'react';
import type { CallFailure } from '../api/refused.ts';
import { type PhraseKey, phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { compare } from '../ui/comparison.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, moneyText, nothingText, percentText } from '../ui/figures.ts';
import { durationOfSeconds, energyWithUnit } from './measure-words.ts';
import { ordersOf } from './orders-behind.ts';
import styles from './statistics.module.css';
import type { StatisticsView } from './statistics-view.ts';

type Summary = AnswerOf<typeof getSalesSummary>;
export type SummaryAnswer = UseQueryResult<Summary, CallFailure>;

type Card = {
  label: PhraseKey;
  /** How it is counted. */
  definition: PhraseKey;
  now: number | null;
  /** Null where the period before is not known. */
  past: number | null;
  text: (value: number) => string;
};

const perOrder = ({ receivableFen, orders }: Summary['now']) =>
  orders === 0 ? null : Math.round(receivableFen / orders);

function cardsOf({ now, past, newCustomers, pastNewCustomers }: Summary): readonly Card[] {
  return [
    {
      label: 'statistics.receivable',
      definition: 'statistics.receivableHint',
      now: now.receivableFen,
      past: past.receivableFen,
      text: moneyText,
    },
    {
      label: 'statistics.received',
      definition: 'statistics.receivedHint',
      now: now.receivedFen,
      past: past.receivedFen,
      text: moneyText,
    },
    {
      label: 'statistics.refunded',
      definition: 'statistics.refundedHint',
      now: now.refundedFen,
      past: past.refundedFen,
      text: moneyText,
    },
    {
      label: 'statistics.energy',
      definition: 'statistics.energyHint',
      now: now.energyWh,
      past: past.energyWh,
      text: energyWithUnit,
    },
    {
      label: 'statistics.orders',
      definition: 'statistics.ordersHint',
      now: now.orders,
      past: past.orders,
      text: countText,
    },
    {
      label: 'statistics.duration',
      definition: 'statistics.durationHint',
      now: now.durationS,
      past: past.durationS,
      text: durationOfSeconds,
    },
    {
      label: 'statistics.perOrder',
      definition: 'statistics.perOrderHint',
      now: perOrder(now),
      past: perOrder(past),
      text: moneyText,
    },
    {
      label: 'statistics.newCustomers',
      definition: 'statistics.newCustomersHint',
      now: newCustomers,
      past: pastNewCustomers,
      text: countText,
    },
  ];
}

/** The figures of the period as texts, for its picture. */
export const cardTexts = (summary: Summary): { label: string; text: string }[] =>
  cardsOf(summary).map(({ label, now, text }) => ({
    label: phrase(label),
    text: now === null ? nothingText : text(now),
  }));

const moment = (iso: string) => shanghaiDateTime(parseIso(iso) ?? instant(0)).slice(0, 16);

/** The last minute of a span that ends before an instant. */
const lastMoment = (iso: string) => shanghaiDateTime(instant((parseIso(iso) ?? 1) - 1)).slice(0, 16);

const comparedPhrases: Readonly<Record<ComparedWith, Record<'whole' | 'soFar', PhraseKey>>> = {
  span: { whole: 'statistics.compared', soFar: 'statistics.comparedSoFar' },
  month: { whole: 'statistics.comparedMonth', soFar: 'statistics.comparedMonthSoFar' },
};

/** What the period brought, each figure with the change against the period before. */
export function SummaryCards({ view, answer }: { view: StatisticsView; answer: SummaryAnswer }) {
  const { data } = answer;
  if (data === undefined) {
    return answer.isPending ? (
      <section className={styles.cards} aria-busy="true" aria-label={phrase('statistics.figures')}>
        {Array.from({ length: 8 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={index} className={styles.card}>
            <Skeleton active title={{ width: 72 }} paragraph={{ rows: 2, width: [128, 96] }} />
          </div>
        ))}
      </section>
    ) : (
      <section className={styles.failed} aria-label={phrase('statistics.figures')}>
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      </section>
    );
  }
  const orders = ordersOf(view.period, view.filter);
  return (
    <>
      <section
        className={styles.cards}
        aria-label={phrase('statistics.figures')}
        aria-busy={answer.isPlaceholderData}
        data-old={answer.isPlaceholderData}
      >
        {cardsOf(data).map((card) => (
          <FigureCard key={card.label} card={card} orders={card.label === 'statistics.orders' ? orders : null} />
        ))}
      </section>
      <p className={styles.compared}>
        {phrase(comparedPhrases[view.comparedWith][data.period.isRunning ? 'soFar' : 'whole'], {
          from: moment(data.before.from),
          to: lastMoment(data.before.to),
        })}
      </p>
    </>
  );
}

function FigureCard({ card, orders }: { card: Card; orders: ScreenQuery<'orderListHistory'> | null }) {
  const { label, definition, now, past, text } = card;
  const value = now === null ? nothingText : text(now);
  return (
    <div className={styles.card}>
      <span className={styles.cardLabel}>
        {phrase(label)}
        <Definition of={phrase(label)} text={phrase(definition)} />
      </span>
      <span className={styles.cardValue}>{value}</span>
      <span className={styles.cardChange}>
        <Change now={now} past={past} text={text} />
        {orders === null ? null : (
          <ScreenLink screen="orderListHistory" query={orders} className={styles.cardLink}>
            {phrase('statistics.showOrders')}
          </ScreenLink>
        )}
      </span>
      <span className={styles.cardDefinition}>{phrase(definition)}</span>
    </div>
  );
}

/** Neither red nor green: more is not better or worse by itself. */
function Change({ now, past, text }: { now: number | null; past: number | null; text: (value: number) => string }) {
  const comparison = now === null || past === null ? { kind: 'none' as const } : compare(now, past);
  switch (comparison.kind) {
    case 'none':
      return phrase('statistics.noBefore');
    case 'same':
      return phrase('statistics.same');
    case 'up':
    case 'down':
      return (
        <span className="figure">
          <span aria-hidden="true">{comparison.kind === 'up' ? '▲' : '▼'}</span>
          <span className="for-readers">{phrase(`statistics.${comparison.kind}`)}</span>{' '}
          {percentText(comparison.percent)}{' '}
          <span className={styles.before}>{phrase('statistics.before', { value: text(past ?? 0) })}</span>
        </span>
      );
  }
}

/** How a figure is counted; a button, so that it is reached by keyboard and by touch. */
function Definition({ of, text }: { of: string; text: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger={['hover', 'click']}
      content={<span className={styles.definition}>{text}</span>}
    >
      <button
        type="button"
        className={styles.info}
        aria-label={phrase('statistics.howCounted', { figure: of })}
        aria-description={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') setOpen(false);
        }}
      >
        <InfoCircleOutlined aria-hidden="true" />
      </button>
    </Popover>
  );
}
