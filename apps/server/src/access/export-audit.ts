import type { Language } from '@voltdeck/contract/permissions';
import { sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { batchRows, type ListExport, openExport } from '../http/list-export.ts';
import { say, sayIfKnown } from '../http/say.ts';
import type { Column } from '../http/xlsx.ts';
import { type AuditFilter, type EntriesQuery, filterEntries, readEntries } from './audit-log.ts';

type Row = Awaited<ReturnType<typeof readEntries>>[number];

/** The filtered audit log, newest first. */
export const auditExport: ListExport<AuditFilter> = {
  list: 'listAuditEntries',
  title: 'audit.title',
  action: 'audit.export',
  async open(db, caller, filter, at) {
    const filtered = await filterEntries(db, caller, filter);
    return openExport<Row, Tables, 'audit_entries'>(db, {
      filtered: filtered === null ? null : filtered.where('audit_entries.at', '<=', at),
      columns: columnsIn(caller.language),
      next: (entries, last) =>
        readEntries((last === undefined ? entries : after(entries, last)).limit(batchRows), 'desc'),
    });
  },
};

/** From the row itself: its time is finer in the database than here. The millisecond leads to its week. */
function after(entries: EntriesQuery, { id, at }: Row): EntriesQuery {
  return entries.where(
    sql<boolean>`(audit_entries.at, audit_entries.id) < (
      select former.at, former.id from audit_entries as former
       where former.id = ${id} and former.at >= to_timestamp(${at} / 1000.0)
         and former.at < to_timestamp(${at} / 1000.0) + interval '1 millisecond')`,
  );
}

function columnsIn(language: Language): Column<Row>[] {
  return [
    { head: say(language, 'audit.at'), widthCharacters: 20, cell: ({ at }) => ({ at }) },
    {
      head: say(language, 'audit.who'),
      widthCharacters: 16,
      cell: ({ userName }) => ({ text: userName ?? say(language, 'audit.system') }),
    },
    {
      head: say(language, 'audit.kind'),
      widthCharacters: 10,
      cell: ({ kind }) => ({ text: say(language, `audit-kind.${kind}`) }),
    },
    {
      head: say(language, 'audit.action'),
      widthCharacters: 24,
      cell: ({ action }) => ({ text: named(language, action) }),
    },
    { head: say(language, 'audit.recordKind'), widthCharacters: 14, cell: ({ recordKind }) => ({ text: recordKind }) },
    { head: say(language, 'audit.recordId'), widthCharacters: 14, cell: ({ recordId }) => ({ text: recordId }) },
    {
      head: say(language, 'audit.address'),
      widthCharacters: 18,
      cell: ({ remoteAddress }) => ({ text: remoteAddress }),
    },
    { head: say(language, 'audit.before'), widthCharacters: 40, cell: ({ before }) => ({ text: written(before) }) },
    { head: say(language, 'audit.after'), widthCharacters: 40, cell: ({ after: later }) => ({ text: written(later) }) },
  ];
}

/** In words; an act that this version has no words for as it stands. */
function named(language: Language, action: string): string {
  return sayIfKnown(language, `audit-action.${action}`) ?? action;
}

function written(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
