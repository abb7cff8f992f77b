import { getSettlementTerms } from '@voltdeck/contract/settlements';
import type { AgentId, DividerId } from '@voltdeck/units/id';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';

/** How often a party is settled with, and whether by itself, for those who may see settlements. */
export function SettledHow({ party }: { party: { agentId: AgentId } | { dividerId: DividerId } }) {
  const mayRead = useCan()('settlement.read');
  const { data: terms } = useAnswer(getSettlementTerms, { query: party }, { enabled: mayRead });
  if (!mayRead || terms === undefined) return null;
  return (
    <>
      <span>
        {phrase('settlements.currentCycle')} {phrase(`settlement-cycle.${terms.cycle}`)}
      </span>
      <span>
        {phrase('settlements.settlesItself')}{' '}
        {phrase(terms.settlesItself ? 'settlements.byItself' : 'settlements.byHand')}
      </span>
    </>
  );
}
