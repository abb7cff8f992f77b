import type { ApprovalKind, ApprovalSubjectKind, WaitingAct } from '@voltdeck/contract/approvals';
import { type RawBuilder, sql } from 'kysely';

/**
 * The acts on a record that wait for a second person, for a select; `subjectId` is the column of the record's id. With
 * `kind`, only those of the one kind that the answer is about.
 */
export function waitingActs(
  subjectKind: ApprovalSubjectKind,
  subjectId: string,
  kind?: ApprovalKind,
): RawBuilder<WaitingAct[]> {
  const ofKind = kind === undefined ? sql`` : sql`and a.kind = ${sql.lit(kind)}`;
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('id', a.id, 'number', a.number, 'kind', a.kind,
                                        'amountFen', coalesce(a.amount_fen, 0)) order by a.id)
      from approvals a
     where a.subject_kind = ${sql.lit(subjectKind)} and a.subject_id = ${sql.ref(subjectId)} and a.state = 'waiting' ${ofKind}),
    '[]'::jsonb)`;
}
