import { listPartnerPulls, type PartnerPull } from '@voltdeck/contract/partner-pulls';
import type { PartnerId } from '@voltdeck/units/id';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { countText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './interop.module.css';
import { pullTones } from './pull-words.ts';

/** The last sync of a partner, or of all, with its figures and a link to those before. */
export function LastPull({ partnerId }: { partnerId: PartnerId | undefined }) {
  const of = partnerId === undefined ? {} : { partnerId };
  const { data } = useAnswer(listPartnerPulls, { query: { ...of, pageSize: 1, total: 'none' } });
  if (data === undefined) return null;
  const [pull] = data.items;
  return (
    <p className={styles.lastPull}>
      <strong>{phrase('pulls.last')}</strong>
      {pull === undefined ? phrase('pulls.never') : <Figures pull={pull} />}
      <ScreenLink screen="stationList" query={{ view: 'syncs', ...of }}>
        {phrase('told.syncs')}
      </ScreenLink>
    </p>
  );
}

function Figures({ pull }: { pull: PartnerPull }) {
  const { state, startedAt, partnerName, kind } = pull;
  const figures = ['sites', 'added', 'changed', 'missing', 'leftOut'] as const;
  return (
    <>
      <StateTag tone={pullTones[state]}>{phrase(`pull-state.${state}`)}</StateTag>
      <Instant at={startedAt} />
      <span>{partnerName}</span>
      <span>{phrase(`pull-kind.${kind}`)}</span>
      {state === 'done'
        ? figures.map((name) => (
            <span key={name}>
              {phrase(`pulls.${name}`)} {countText(pull[name])}
            </span>
          ))
        : null}
      {pull.fault === null ? null : <span>{phrase(`partner-fault.${pull.fault}`)}</span>}
    </>
  );
}
