import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FieldFaultCode } from '@voltdeck/contract/errors';
import type { StationImportColumn, StationImportFault } from '@voltdeck/contract/station-imports';
import type { AgentId, TariffId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { isInScope, scoped, scopedOrPlatform } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { DefaultRules, lockVersionsInForce, mayPrice } from '../../tariffs/rules-of-station.ts';
import type { NewStation } from '../add-stations.ts';
import { ownFaults } from '../check-station.ts';
import { type FoundRecord, formOfCells, type RecordColumn, recordColumns } from './form-of-cells.ts';
import type { ImportRow } from './read-import.ts';

/** A row that may become a station. */
export type GoodRow = NewStation & { line: number; siteName: string };

export type CheckedRow = GoodRow | { line: number; faults: StationImportFault[] };

/** Rows checked without yielding to other requests: some milliseconds. */
const rowsAtOnce = 200;

/**
 * Checks rows in bulk as `checkStation` checks one. Locks sites, agents and rules until the commit. Of two rows with one
 * number, the first is good.
 */
export async function checkRows(trx: Trx, caller: Caller, rows: readonly ImportRow[]): Promise<CheckedRow[]> {
  const records = await findRecords(trx, caller, rows);
  const { taken, identities } = await findNumbers(trx, rows);
  const named = [...records.tariffIds];
  const rules = named.length === 0 ? new Map<TariffId, TariffId>() : await lockVersionsInForce(trx, named);
  const defaults = new DefaultRules(trx);
  const lineOf = new Map<string, number>();
  const checked: CheckedRow[] = [];
  for (const [index, { line, cells, rounded }] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await nextTurn();
    const found = Object.fromEntries(
      recordColumns.flatMap((column) => {
        const text = cells[column];
        return text === undefined ? [] : [[column, records.find(column, text)]];
      }),
    );
    const { form, faults } = formOfCells(cells, found);
    for (const column of rounded) {
      if (!faults.some((fault) => fault.column === column)) faults.push({ column, code: 'rounded' });
    }
    const { number } = cells;
    for (const { path, ...fault } of form === null ? [] : ownFaults(form)) {
      faults.push({ column: path as StationImportColumn, ...fault });
    }
    const identity = number === undefined ? undefined : identities.get(number);
    if (number !== undefined) {
      const earlier = lineOf.get(number);
      if (earlier !== undefined) faults.push({ column: 'number', code: 'repeated', params: { line: earlier } });
      else lineOf.set(number, line);
      if (taken.has(number) || (identity !== undefined && !isInScope(caller, identity.agentId))) {
        faults.push({ column: 'number', code: 'taken' });
      } else if (identity !== undefined && form !== null && form.protocol !== identity.protocol) {
        faults.push({ column: 'protocol', code: 'identity_protocol' });
      }
    }
    for (const column of ['cardTariffId', 'wechatTariffId'] as const) {
      const asked = form?.[column];
      // It was deleted after it had been found.
      if (asked !== undefined && !rules.has(asked)) faults.push({ column, code: 'unknown_reference' });
    }
    if (form === null || faults.length > 0) {
      checked.push({ line, faults });
      continue;
    }
    const site = records.siteOf(form.siteId);
    const agentId = form.agentId ?? site?.agentId ?? null;
    for (const column of ['cardTariffId', 'wechatTariffId'] as const) {
      const owner = records.ruleAgentOf(form[column]);
      if (!mayPrice(owner, agentId)) faults.push({ column, code: 'rule_of_other_agent' });
    }
    if (faults.length > 0) {
      checked.push({ line, faults });
      continue;
    }
    const inForce = (id: TariffId | undefined) => (id === undefined ? undefined : rules.get(id));
    const rulesInForce = {
      cardTariffId: inForce(form.cardTariffId),
      wechatTariffId: inForce(form.wechatTariffId),
    };
    checked.push({
      line,
      form: await defaults.complete({ ...form, ...rulesInForce }, agentId),
      agentId,
      siteName: site?.name ?? '',
      identity: identity ?? null,
    });
  }
  return checked;
}

type Named = { id: number; name: string; agentId: AgentId | null };

type Records = {
  find(column: RecordColumn, text: string): FoundRecord;
  siteOf(id: number): Named | undefined;
  tariffIds: ReadonlySet<TariffId>;
  /** Null for the platform's rules. */
  ruleAgentOf(id: TariffId | undefined): AgentId | null;
};

/** The records that rows name, within the caller's scope. */
async function findRecords(trx: Trx, caller: Caller, rows: readonly ImportRow[]): Promise<Records> {
  const asked = (...columns: RecordColumn[]) => {
    const texts = new Set(rows.flatMap(({ cells }) => columns.map((column) => cells[column] ?? '')));
    texts.delete('');
    const ids = [...texts].flatMap((text) => idIn(text) ?? []);
    return { names: [...texts], ids };
  };
  const sitesAsked = asked('siteId');
  const sites = await scoped(trx.selectFrom('sites'), caller, 'sites.agent_id')
    .select(['id', 'name', 'agent_id as agentId'])
    .where(sql<boolean>`(name = any(${sitesAsked.names}) or id = any(${sitesAsked.ids}))`)
    .forShare()
    .execute();
  const agentsAsked = asked('agentId');
  const agents = await scoped(trx.selectFrom('agents'), caller, 'agents.id')
    .select(['id', 'name', 'id as agentId'])
    .where(sql<boolean>`(name = any(${agentsAsked.names}) or id = any(${agentsAsked.ids}))`)
    .forKeyShare()
    .execute();
  const rulesAsked = asked('cardTariffId', 'wechatTariffId');
  const tariffs = await scopedOrPlatform(trx.selectFrom('tariffs'), caller, 'tariffs.agent_id')
    .select(['id', 'name', 'agent_id as agentId'])
    .where('state', '=', 'in_force')
    .where('archived_at', 'is', null)
    .where(sql<boolean>`(name = any(${rulesAsked.names}) or id = any(${rulesAsked.ids}))`)
    .execute();
  const finderOf = { siteId: finder(sites), agentId: finder(agents), tariffs: finder(tariffs) };
  const siteById = new Map<number, Named>(sites.map((site) => [site.id, site]));
  const ruleAgents = new Map(tariffs.map(({ id, agentId }) => [id, agentId]));
  return {
    find: (column, text) => (column === 'siteId' || column === 'agentId' ? finderOf[column] : finderOf.tariffs)(text),
    siteOf: (id) => siteById.get(id),
    ruleAgentOf: (id) => (id === undefined ? null : (ruleAgents.get(id) ?? null)),
    tariffIds: new Set(tariffs.map(({ id }) => id)),
  };
}

/** "#12", for one of several with the same name. */
function idIn(text: string): number | null {
  const digits = /^#(\d{1,15})$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

function finder(records: readonly Named[]): (text: string) => FoundRecord {
  const byName = new Map<string, Named[]>();
  for (const record of records) byName.set(record.name, [...(byName.get(record.name) ?? []), record]);
  const ids = new Set(records.map(({ id }) => id));
  return (text) => {
    const fault = (code: FieldFaultCode): FoundRecord => ({ fault: code });
    const [first, ...others] = byName.get(text) ?? [];
    if (first !== undefined) return others.length === 0 ? { id: first.id } : fault('ambiguous');
    const id = idIn(text);
    return id !== null && ids.has(id) ? { id } : fault('unknown_reference');
  };
}

/** Which numbers stations have, and which were made for a factory and wait for theirs. */
async function findNumbers(trx: Trx, rows: readonly ImportRow[]) {
  const numbers = [...new Set(rows.flatMap(({ cells }) => cells.number ?? []))];
  const stations = await trx
    .selectFrom('stations')
    .select('number')
    .where(sql<boolean>`number = any(${numbers})`)
    .execute();
  const identities = await trx
    .selectFrom('station_identities')
    .select(['id', 'number', 'protocol', 'password_hash as passwordHash', 'agent_id as agentId'])
    .where(sql<boolean>`number = any(${numbers})`)
    .where('station_id', 'is', null)
    .forUpdate()
    .execute();
  return {
    taken: new Set(stations.map(({ number }) => number)),
    identities: new Map(identities.map((identity) => [identity.number, identity])),
  };
}
