import { type downloadedLabelsMax, listConnectors, type sheetLabelsMax } from '@voltdeck/contract/connectors';
import type { ApiError } from '@voltdeck/contract/errors';
import type { ConnectorId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { askedForFile } from '../../http/list-export.ts';
import { listQueryReader } from '../../http/list-query.ts';
import { fileSourceOf } from '../../http/list-source.ts';
import { connectorList, findConnectors } from '../queries.ts';

/** The ports of a sheet: the chosen ones, or null for those that the filter matches. */
export type ChosenPorts = { connectorIds: readonly ConnectorId[] | null; filter: object; sort: string | undefined };

const readQuery = listQueryReader(listConnectors.query);

/** The filter and the order of the list as in its address, validated as the list itself does. */
export function portsOfQuery(query: Readonly<Record<string, string>>): Result<ChosenPorts, ApiError> {
  const wanted = readQuery(query);
  return wanted.ok ? ok({ connectorIds: null, ...wanted.value }) : wanted;
}

/** The number of labels: at least one, and no more than `max`. A chosen port that the caller may not see is none. */
export async function countLabels(
  db: Kysely<Tables>,
  { caller, at }: { caller: Caller; at: Instant },
  { connectorIds, filter }: ChosenPorts,
  max: typeof downloadedLabelsMax | typeof sheetLabelsMax,
): Promise<Result<number, ApiError>> {
  if (connectorIds !== null) {
    const found = await findConnectors(db, caller, connectorIds);
    return found.length < new Set(connectorIds).size ? failed({ code: 'record.not_found' }) : ok(found.length);
  }
  const count = await fileSourceOf(connectorList).count(db, askedForFile({ caller, at }), filter, max);
  if (count === 0) return failed({ code: 'label.none' });
  return count > max ? failed({ code: 'label.too_many', params: { max } }) : ok(count);
}
