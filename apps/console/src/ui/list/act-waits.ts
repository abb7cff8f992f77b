import type { ApprovalKind, WaitingAct } from '@voltdeck/contract/approvals';
import { phrase } from '../../phrases.ts';
import { type Place, place } from '../../session/place.ts';

type Row = { waits: readonly WaitingAct[] };

/** Why an act of a kind cannot be asked for again: it waits for a second person. */
export function whyActWaits(kind: ApprovalKind, { waits }: Row): string | undefined {
  const waiting = waits.find((act) => act.kind === kind);
  return waiting === undefined ? undefined : phrase('list.actWaits', { number: waiting.number });
}

/** The approval that a record waits for first. */
export function approvalOf({ waits: [first] }: Row): Place | null {
  return first === undefined ? null : place('approvalList', { number: first.number });
}
