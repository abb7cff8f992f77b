import type { Approval, ApprovalDetail, ApprovalFact } from '@voltdeck/contract/approval-records';
import type { ApprovalState } from '@voltdeck/contract/approvals';
import { instant, toIso } from '@voltdeck/units/instant';
import { knownPhrase, phrase } from '../phrases.ts';
import { energyText, moneyText, nothingText, priceText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import type { Tone } from '../ui/state-colours.ts';

export const approvalTones: Readonly<Record<ApprovalState, Tone>> = {
  waiting: 'occupied',
  approved: 'free',
  refused: 'offline',
  failed: 'fault',
  withdrawn: 'offline',
  obsolete: 'offline',
};

/** The act as a sentence with its figures: "Refund ¥60.00 of order 2026…". */
export function actText({
  kind,
  subjectText,
  amountFen,
}: Pick<Approval, 'kind' | 'subjectText' | 'amountFen'>): string {
  const amount = amountFen === null ? '' : moneyText(amountFen);
  return phrase(`approval-act.${kind}`, { subject: subjectText, amount });
}

/** "Refunded so far: ¥0.00 → ¥60.00" of each figure that the act changes. */
export function factTexts({ facts }: Pick<ApprovalDetail, 'facts'>): { name: string; text: string }[] {
  return facts.map((fact) => {
    const after = valueText(fact, fact.after);
    const name = phrase(`approval-fact.${fact.name}`);
    return fact.before === null
      ? { name, text: after }
      : { name, text: phrase('approvals.change', { before: valueText(fact, fact.before), after }) };
  });
}

/** Of when the figures are where they are not today's, and why there are none. */
export function factsNote({ state, facts }: Pick<ApprovalDetail, 'state' | 'facts'>): string | null {
  if (state === 'waiting') return facts.length === 0 ? phrase('approvals.factsHidden') : null;
  return phrase(facts.length === 0 ? 'approvals.factsAbsent' : 'approvals.factsKept');
}

function valueText({ kind }: ApprovalFact, value: ApprovalFact['after']): string {
  if (value === null) return nothingText;
  switch (kind) {
    case 'money':
      return moneyText(Number(value));
    case 'energyWh':
      return energyText(Number(value));
    case 'priceE5':
      return priceText(Number(value));
    case 'instant':
      // Facts kept by older releases have milliseconds.
      return isoDateTime(typeof value === 'number' ? toIso(instant(value)) : String(value)) ?? nothingText;
    case 'word':
      return knownPhrase(String(value)) ?? String(value);
    case 'text':
      return String(value);
  }
}
