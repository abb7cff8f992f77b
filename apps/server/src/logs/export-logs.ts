import type { Protocol } from '@voltdeck/charging/states';
import type { Language } from '@voltdeck/contract/languages';
import { listInteractionLogs } from '@voltdeck/contract/logs';
import { messageKey as ocppMessageKey } from '@voltdeck/ocpp16/phrase-keys';
import { definitionOf } from '@voltdeck/ykc/messages/all';
import { messageKey as ykcMessageKey } from '@voltdeck/ykc/phrase-keys';
import { countedUpTo } from '../http/list-page.ts';
import { batchRows, type FileSource } from '../http/list-source.ts';
import { sayIfKnown } from '../http/say.ts';
import type { LogFilter } from './filter-logs.ts';
import { openLogs, type Row, toLog } from './queries.ts';

/** The filtered log, newest first, read in stretches of time. */
export const logFile: FileSource = {
  route: listInteractionLogs,
  async count(db, { caller, at }, filter: LogFilter, max) {
    const logs = await openLogs(db, caller, filter, at);
    if (logs === null) return 0;
    const { rows } = await countedUpTo(logs.all(), max).execute(db);
    return rows[0]?.total ?? 0;
  },
  async *batches(db, { caller, at }, filter: LogFilter) {
    const logs = await openLogs(db, caller, filter, at);
    if (logs === null) return;
    for await (const { rows } of logs.newestFirst(null, batchRows)) if (rows.length > 0) yield rows.map(toLog);
  },
  texts: { message: (row: Row, language) => messageName(language, row) },
};

function messageName(language: Language, { protocol, action }: Pick<Row, 'protocol' | 'action'>): string | null {
  const key = action === null ? null : messageKeyOf[protocol as Protocol](action);
  return key === null ? null : sayIfKnown(language, key);
}

const messageKeyOf: Readonly<Record<Protocol, (action: string) => string | null>> = {
  'ocpp1.6': ocppMessageKey,
  ykc(action) {
    const definition = definitionOf(Number(action));
    return definition === undefined ? null : ykcMessageKey(definition.kind);
  },
};
