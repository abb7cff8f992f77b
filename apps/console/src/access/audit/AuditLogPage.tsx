import { type AuditEntry, listAuditEntries } from '@voltdeck/contract/audit';
import { auditRecordKinds } from '@voltdeck/contract/audit-actions';
import { phrase } from '../../phrases.ts';
import { place } from '../../session/place.ts';
import { nothingText } from '../../ui/figures.ts';
import { findable } from '../../ui/is-masked.ts';
import { ListPage } from '../../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../../ui/list-page.ts';
import styles from './audit.module.css';
import { actionChoices, actionText, fieldText, recordNumber, recordText } from './audit-words.ts';
import { ChangesTable } from './ChangesTable.tsx';
import { changesOf } from './changes.ts';
import { recordName, recordPlace } from './record-place.ts';

/** The number of field names that fit in a cell. */
const namedMax = 3;

/** "phone, position and 2 more": a summary for scanning the list without expanding rows. */
function changedText({ before, after }: AuditEntry): string {
  if (before === null || before === undefined || after === null || after === undefined) return nothingText;
  const changed = changesOf(before, after).filter(({ kind }) => kind !== 'same');
  if (changed.length === 0) return nothingText;
  const named = changed.slice(0, namedMax).map(({ path }) => fieldText(path));
  const names = named.join(phrase('list.comma'));
  return changed.length > namedMax
    ? phrase('audit.changedAndMore', { names, count: changed.length - namedMax })
    : names;
}

const filters: Filters<typeof listAuditEntries> = {
  userId: { title: 'audit.who', may: ({ user }) => user.permissions.includes('user.read') },
  kind: {},
  from: { title: 'audit.at' },
  action: { choices: actionChoices },
  recordKind: { choices: () => auditRecordKinds.map((value) => ({ value, label: recordText(value) })) },
  recordId: {},
  remoteAddress: {},
};

const look: ListPageProps<typeof listAuditEntries>['look'] = {
  at: { isPinned: true, isExact: true },
  userName: {
    widthPx: 128,
    link: ({ userName }) => (userName === null ? null : place('user', { userName: findable(userName) })),
  },
  kind: { widthPx: 88 },
  action: { widthPx: 184, render: ({ action }) => actionText(action) },
  recordId: {
    title: 'audit.record',
    widthPx: 240,
    link: (entry) => (entry.kind === 'delete' ? null : recordPlace(entry)),
    text: (entry) => [recordText(entry.recordKind), recordName(entry) ?? recordNumber(entry)].join(' '),
  },
  after: {
    title: 'audit.changed',
    widthPx: 220,
    render: (entry) => <span className={styles.summary}>{changedText(entry)}</span>,
  },
};

/** Who did what to which record, before and after; /auditLog. */
export default function AuditLogPage() {
  return (
    <ListPage
      list={listAuditEntries}
      title="audit.title"
      nameOf={({ action, recordId }) => phrase('audit.rowName', { action: actionText(action), id: recordId })}
      filters={filters}
      columns={['at', 'userName', 'kind', 'action', 'recordId', 'after', 'remoteAddress']}
      look={look}
      details={(entry) => <ChangesTable entry={entry} />}
      empty={{ title: 'audit.empty' }}
    />
  );
}
