import type { Protocol } from '@voltdeck/charging/states';
import type { Language } from '@voltdeck/contract/permissions';
import { messageKey as ocppMessageKey } from '@voltdeck/ocpp16/phrase-keys';
import { type Instant, secondMs, shanghaiDateTime } from '@voltdeck/units/instant';
import { definitionOf } from '@voltdeck/ykc/messages/all';
import { messageKey as ykcMessageKey } from '@voltdeck/ykc/phrase-keys';
import { batchRows, exportedRowsMax, type ListExport, openExport } from '../http/list-export.ts';
import { say, sayIfKnown } from '../http/say.ts';
import { type Column, xlsxStream } from '../http/xlsx.ts';
import type { LogFilter } from './filter-logs.ts';
import { type LogSource, openLogs, type Row } from './queries.ts';

/** The filtered log, newest first. */
export const logExport: ListExport<LogFilter> = {
  list: 'listInteractionLogs',
  title: 'logs.title',
  action: 'log.export',
  async open(db, caller, filter, at) {
    const source = await openLogs(db, caller, filter, at);
    const columns = columnsIn(caller.language);
    const { count } = openExport(db, {
      filtered: source?.all() ?? null,
      columns,
      // Only counted in this way: the rows are read in stretches of time.
      next: async () => [],
    });
    return {
      count,
      write: (title, onRows = () => undefined) => xlsxStream(title, columns, batchesOf(source, onRows)),
    };
  },
};

async function* batchesOf(source: LogSource | null, onRows: (rows: number) => void): AsyncGenerator<readonly Row[]> {
  if (source === null) return;
  let read = 0;
  for await (const { rows } of source.newestFirst(null, batchRows)) {
    if (rows.length === 0) continue;
    yield rows;
    onRows(rows.length);
    read += rows.length;
    if (read >= exportedRowsMax) return;
  }
}

function columnsIn(language: Language): Column<Row>[] {
  const text = (value: string | null) => ({ text: value });
  return [
    { head: say(language, 'logs.at'), widthCharacters: 24, cell: ({ at }) => text(exactTime(at)) },
    { head: say(language, 'logs.station'), widthCharacters: 18, cell: ({ stationNumber }) => text(stationNumber) },
    {
      head: say(language, 'logs.protocol'),
      widthCharacters: 10,
      cell: ({ protocol }) => text(sayIfKnown(language, `protocol.${protocol}`) ?? protocol),
    },
    {
      head: say(language, 'logs.direction'),
      widthCharacters: 12,
      cell: ({ direction }) => text(say(language, direction === 'to-station' ? 'logs.toStation' : 'logs.fromStation')),
    },
    { head: say(language, 'logs.message'), widthCharacters: 20, cell: (row) => text(messageName(language, row)) },
    { head: say(language, 'export.wireName'), widthCharacters: 20, cell: ({ action }) => text(action) },
    { head: say(language, 'logs.messageId'), widthCharacters: 16, cell: ({ messageId }) => text(messageId) },
    { head: say(language, 'logs.request'), widthCharacters: 60, cell: ({ request }) => text(request) },
    { head: say(language, 'logs.answerFrame'), widthCharacters: 60, cell: ({ answer }) => text(answer) },
    {
      head: say(language, 'export.latencyMs'),
      widthCharacters: 12,
      cell: ({ latencyMs }) => ({ number: latencyMs }),
    },
    {
      head: say(language, 'logs.faultColumn'),
      widthCharacters: 20,
      cell: ({ fault }) => text(faultName(language, fault)),
    },
  ];
}

/** Excel's own times have seconds; an exchange is looked for by its milliseconds. */
function exactTime(at: Instant): string {
  return `${shanghaiDateTime(at)}.${String(at % secondMs).padStart(3, '0')}`;
}

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

/** In words where the code is one that has them. */
function faultName(language: Language, fault: string | null): string | null {
  return fault === null ? null : (sayIfKnown(language, `logs.fault.${fault}`) ?? fault);
}
