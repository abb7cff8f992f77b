import { ArrowRightOutlined, CalendarOutlined } from '@ant-design/icons';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../api/lazy-part.ts';
import { phrase } from '../../phrases.ts';
import { minuteText } from './applied-filters.ts';
import styles from './list-filters.module.css';
import type { PeriodFieldProps } from './PeriodField.tsx';

const load = () => import('./PeriodField.tsx');
const PeriodField = lazyPart(load);

/** Shows the period until the user wants to change it: the calendar is the heaviest part of a list page. */
export function PeriodStandIn(props: PeriodFieldProps) {
  const [isWanted, setWanted] = useState(false);
  const { label, from, to } = props;
  const standIn = (
    <button
      type="button"
      className={styles.period}
      aria-haspopup="dialog"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      <span className="for-readers">{label}</span>{' '}
      <span data-empty={from === undefined}>{from === undefined ? phrase('list.from') : minuteText(from)}</span>
      <ArrowRightOutlined className={styles.arrow} />{' '}
      <span data-empty={to === undefined}>{to === undefined ? phrase('list.to') : minuteText(to)}</span>
      <CalendarOutlined className={styles.calendar} />
    </button>
  );
  if (!isWanted) return standIn;
  return (
    <Suspense fallback={standIn}>
      <PeriodField {...props} defaultOpen />
    </Suspense>
  );
}
