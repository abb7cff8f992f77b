import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { isPlatform } from '../session/reach.ts';
import type { Act } from '../ui/list-page.ts';
import type { SettledParty } from './SettlementTermsForm.tsx';

/** Lazy: most visits never open it. */
const SettlementTermsForm = lazyPart(() => import('./SettlementTermsForm.tsx'));

/** Changes how the party of a row is settled with, which only the platform does. */
export function changingTerms<Row>(partyOf: (row: Row) => SettledParty): Extract<Act<Row>, { on: 'row' }> {
  return {
    on: 'row',
    label: 'settlements.change',
    may: 'settlement.change',
    isFor: (_, session) => isPlatform(session),
    overlay: (row, { open, close, tell }) => {
      const party = partyOf(row);
      return (
        <SettlementTermsForm
          period={party}
          open={open}
          onClose={close}
          onSaved={() => tell(phrase('settlements.changed', { party: party.partyName }))}
        />
      );
    },
  };
}
