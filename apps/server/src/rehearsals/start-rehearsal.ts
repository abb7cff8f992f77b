import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { type RehearsalFilter, rehearsedDaysMax, type startRehearsal as route } from '@voltdeck/contract/rehearsals';
import type { BodyOf } from '@voltdeck/contract/route';
import { readTariff } from '@voltdeck/tariffs/check-tariff';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { TariffId, TaskId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, parseIso, shanghaiDate } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Started } from '../background/announce-task.ts';
import { startTask } from '../background/start-task.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped, scopedOrPlatform } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';

type Body = BodyOf<typeof route>;
type Rule = { tariffId: TariffId | null; tariffName: string; tariff: Tariff };

/** Queues a rehearsal of a stored rule or of a draft over the caller's own charges. */
export async function startRehearsal(
  trx: Trx,
  caller: Caller,
  body: Body,
  at: Instant,
): Promise<Result<Started<{ id: TaskId }>, ApiError>> {
  const rule = await ruleOf(trx, caller, body);
  const fields = [...(rule.ok ? [] : rule.error), ...(await faultsOfFilter(trx, caller, body))];
  if (!rule.ok || fields.length > 0) return failed({ code: 'request.invalid', fields });
  const { tariffId: _id, draft: _draft, draftName: _name, ...filter } = body;
  const detail = { ...rule.value, filter };
  const wanted = { kind: 'rehearsal', subject: subjectOf(rule.value, filter), detail } as const;
  const task = await startTask(trx, caller, wanted, at);
  return task.ok ? ok({ answer: { id: task.value.id }, task: task.value }) : task;
}

async function ruleOf(
  trx: Trx,
  caller: Caller,
  { tariffId, draft, draftName }: Body,
): Promise<Result<Rule, FieldFault[]>> {
  if (draft !== undefined) {
    if (tariffId !== undefined) return failed([{ path: 'tariffId', code: 'only_one' }]);
    const read = readTariff(draft);
    if (read.ok) return ok({ tariffId: null, tariffName: draftName ?? '', tariff: read.value });
    return failed(read.error.map(({ code, path, params }) => ({ path: ['draft', ...path].join('.'), code, params })));
  }
  if (tariffId === undefined) return failed([{ path: 'tariffId', code: 'required' }]);
  const stored = await scopedOrPlatform(trx.selectFrom('tariffs'), caller, 'tariffs.agent_id')
    .select(['tariffs.name', 'tariffs.detail'])
    .where('tariffs.id', '=', tariffId)
    .executeTakeFirst();
  if (stored === undefined) return failed([{ path: 'tariffId', code: 'unknown_reference' }]);
  return ok({ tariffId, tariffName: stored.name, tariff: stored.detail as Tariff });
}

async function faultsOfFilter(trx: Trx, caller: Caller, filter: RehearsalFilter): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  const { from, to } = spanOf(filter);
  if (to <= from) faults.push({ path: 'to', code: 'not_after_start' });
  else if (to - from > rehearsedDaysMax * dayMs) {
    faults.push({ path: 'to', code: 'too_many_days', params: { max: rehearsedDaysMax } });
  }
  const { agentId, siteId, usedRuleId } = filter;
  if (agentId !== undefined) {
    const agent = await scoped(trx.selectFrom('agents'), caller, 'agents.id')
      .select('agents.id')
      .where('agents.id', '=', agentId)
      .executeTakeFirst();
    if (agent === undefined) faults.push({ path: 'agentId', code: 'unknown_reference' });
  }
  if (siteId !== undefined) {
    const site = await scoped(trx.selectFrom('sites'), caller, 'sites.agent_id')
      .select('sites.id')
      .where('sites.id', '=', siteId)
      .executeTakeFirst();
    if (site === undefined) faults.push({ path: 'siteId', code: 'unknown_reference' });
  }
  if (usedRuleId !== undefined) {
    const used = await scopedOrPlatform(trx.selectFrom('tariffs'), caller, 'tariffs.agent_id')
      .select('tariffs.id')
      .where('tariffs.id', '=', usedRuleId)
      .executeTakeFirst();
    if (used === undefined) faults.push({ path: 'usedRuleId', code: 'unknown_reference' });
  }
  return faults;
}

/** @throws Error for what the contract has not checked. */
export function spanOf({ from, to }: Pick<RehearsalFilter, 'from' | 'to'>): { from: Instant; to: Instant } {
  const span = { from: parseIso(from), to: parseIso(to) };
  if (span.from === null || span.to === null) throw new Error(`not a span: ${from} ${to}`);
  return { from: span.from, to: span.to };
}

/** "Evening 2026-10-01–2026-10-31": the last day is the one that the end closes. */
function subjectOf({ tariffName }: Rule, filter: RehearsalFilter): string {
  const { from, to } = spanOf(filter);
  return `${tariffName} ${shanghaiDate(from)}–${shanghaiDate(instant(to - 1))}`.trim();
}
