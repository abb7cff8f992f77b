import {
  listRehearsalFigures,
  type Rehearsal,
  type RehearsalFigure,
  type RehearsalResult,
} from '@voltdeck/contract/rehearsals';
import type { TaskId } from '@voltdeck/units/id';
import { fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import { callerOf, type StoredDetail } from '../background/task-details.ts';
import type { Caller } from '../caller/caller.ts';
import { ownedBy, scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { seesAllOf } from '../http/bind.ts';
import { listSource } from '../http/list-source.ts';

/**
 * What was rehearsed, and its outcome. Null where the task is of another kind, or where the caller no longer reaches all
 * that it was made from.
 */
export async function findRehearsal(db: Kysely<Tables>, caller: Caller, id: TaskId): Promise<Rehearsal | null> {
  const row = await ownedBy(db.selectFrom('tasks'), caller, 'tasks.user_id')
    .select(['tasks.user_id', 'tasks.detail', 'tasks.result'])
    .where('tasks.id', '=', id)
    .where('tasks.kind', '=', 'rehearsal')
    .executeTakeFirst();
  if (row === undefined) return null;
  const { caller: starter, ...rest } = row.detail as StoredDetail<'rehearsal'>;
  if (!seesAllOf(caller, callerOf({ caller: starter }, row.user_id, caller.language))) return null;
  const { tariffId, tariffName, tariff, filter } = rest;
  const names = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('agents')
        .select('name')
        .where('id', '=', filter.agentId ?? null)
        .as('agentName'),
      eb
        .selectFrom('sites')
        .select('name')
        .where('id', '=', filter.siteId ?? null)
        .as('siteName'),
      eb
        .selectFrom('tariffs')
        .select('name')
        .where('id', '=', filter.usedRuleId ?? null)
        .as('usedRuleName'),
    ])
    .executeTakeFirstOrThrow();
  const result = row.result as RehearsalResult | null;
  return { id, tariffId, tariffName, tariff: tariff as Rehearsal['tariff'], filter, ...names, result };
}

export const rehearsalFigureList = listSource({
  route: listRehearsalFigures,
  filtered(db, caller, filter) {
    const all = db.selectFrom('rehearsal_figures').innerJoin('tasks', 'tasks.id', 'rehearsal_figures.task_id');
    let figures = scoped(ownedBy(all, caller, 'tasks.user_id'), caller, 'rehearsal_figures.agent_id');
    if (filter.rehearsalId !== undefined) figures = figures.where('rehearsal_figures.task_id', '=', filter.rehearsalId);
    if (filter.by !== undefined) figures = figures.where('rehearsal_figures.by', '=', filter.by);
    if (filter.agentId !== undefined) figures = figures.where('rehearsal_figures.agent_id', '=', filter.agentId);
    return figures;
  },
  id: sql`rehearsal_figures.id`,
  sorts: {
    difference: sql`rehearsal_figures.difference_fen`,
    before: sql`rehearsal_figures.before_fen`,
    charges: sql`rehearsal_figures.charges`,
  },
  rows: (db) =>
    db
      .selectFrom('rehearsal_figures')
      .leftJoin('sites', 'sites.id', 'rehearsal_figures.site_id')
      .leftJoin('agents', 'agents.id', 'rehearsal_figures.agent_id')
      .select([
        'rehearsal_figures.task_id as rehearsalId',
        'rehearsal_figures.by',
        'rehearsal_figures.site_id as siteId',
        'sites.name as siteName',
        'rehearsal_figures.agent_id as agentId',
        'agents.name as agentName',
        'rehearsal_figures.charges',
        'rehearsal_figures.energy_wh as energyWh',
        'rehearsal_figures.before_fen as beforeFen',
        'rehearsal_figures.after_fen as afterFen',
      ]),
  toItem: ({ by, ...row }): RehearsalFigure => ({
    ...row,
    by: by as RehearsalFigure['by'],
    differenceFen: fen(row.afterFen - row.beforeFen),
  }),
});
