import type { Station } from '@voltdeck/contract/stations';
import { Tooltip } from 'antd';
import { phrase } from '../phrases.ts';
import { nothingText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { tariffTone } from '../ui/state-colours.ts';
import styles from './stations.module.css';

type Props = { station: Pick<Station, 'runningTariff'>; withDetails?: boolean };

/** Whether a station that prices by itself runs the right tariff. */
export function RunningTariff({ station: { runningTariff }, withDetails = false }: Props) {
  if (runningTariff === null) return nothingText;
  const { state, version, tariffName, at, askedAt, outcome } = runningTariff;
  const lines = [
    version === null
      ? phrase('stations.tariffNothingTold')
      : phrase('stations.tariffRuns', { version, name: tariffName ?? phrase('stations.tariffNotOurs') }),
    ...(at === null ? [] : [phrase('stations.tariffSince', { at: isoDateTime(at) ?? '' })]),
    ...(askedAt === null || state === 'current'
      ? []
      : [phrase('stations.tariffAsked', { at: isoDateTime(askedAt) ?? '', outcome: tariffOutcomeText(outcome) })]),
  ];
  const tag = <StateTag tone={tariffTone[state]}>{phrase(`tariff-state.${state}`)}</StateTag>;
  if (!withDetails) return <Tooltip title={lines.join(' · ')}>{tag}</Tooltip>;
  return (
    <>
      {tag} <span className={styles.quiet}>{lines.join(' · ')}</span>
    </>
  );
}

/** The outcome of the last sending; an outcome that did not come from a station is shown unchanged. */
function tariffOutcomeText(outcome: string | null): string {
  if (outcome === null) return phrase('stations.waitingForAnswer');
  if (outcome === 'no-tariff') return phrase('tariff-state.none');
  return isKnownOutcome(outcome) ? phrase(`command-outcome.${outcome}`) : outcome;
}

const knownOutcomes = ['accepted', 'rejected', 'not-supported', 'timed-out', 'offline', 'busy', 'failed'] as const;

function isKnownOutcome(outcome: string): outcome is (typeof knownOutcomes)[number] {
  return (knownOutcomes as readonly string[]).includes(outcome);
}
