import type { Readable } from 'node:stream';
import type { Connector } from '@voltdeck/contract/connectors';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import type { WantedLabels } from '../../exports/exports.ts';
import { askedForFile } from '../../http/list-export.ts';
import { fileSourceOf } from '../../http/list-source.ts';
import { say } from '../../http/say.ts';
import { connectorList, findConnectors } from '../queries.ts';
import { labelSheet } from './label-sheet.ts';

/** Draws the labels of the chosen ports, read as they are drawn. */
export function writeLabels(
  db: Kysely<Tables>,
  { caller, at, labels: { format, connectorIds, filter, sort } }: WantedLabels,
  onRows: (rows: number) => void = () => undefined,
): Readable {
  async function* chosen(): AsyncGenerator<readonly Connector[]> {
    if (connectorIds !== null) yield await findConnectors(db, caller, connectorIds);
    else {
      const batches = fileSourceOf(connectorList).batches(db, askedForFile({ caller, at }), filter, sort);
      yield* batches as AsyncIterable<readonly Connector[]>;
    }
  }
  const { language } = caller;
  return labelSheet({ format, language, title: say(language, 'stations.qrSheetTitle') }, chosen(), onRows);
}
