import { attemptsKeptDays } from '@voltdeck/contract/quality';
import { instant } from '@voltdeck/units/instant';
import { useSearchParams } from 'react-router';
import { phrase } from '../phrases.ts';
import styles from './quality.module.css';
import { listedSince, queryOf } from './quality-query.ts';

/** Says that the list lacks attempts which the figures count; nothing where it has all of them. */
export function ListedSince() {
  const [search] = useSearchParams();
  const now = instant(Date.now());
  const day = listedSince(queryOf(search, now), now);
  if (day === null) return null;
  return <p className={styles.listedSince}>{phrase('quality.listedSince', { days: attemptsKeptDays, day })}</p>;
}
