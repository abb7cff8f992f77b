import { type AuditEntry, auditKinds, exportAuditEntries, listAuditEntries } from '@voltdeck/contract/audit';
import { auditRecordKinds } from '@voltdeck/contract/audit-actions';
import { Link } from 'react-router';
import { phrase } from '../../phrases.ts';
import { useCan } from '../../session/use-can.ts';
import { useMayOpen } from '../../session/use-may-open.ts';
import { nothingText } from '../../ui/figures.ts';
import { Instant } from '../../ui/Instant.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { userChoices } from '../../ui/list/record-choices.ts';
import type { ListColumn, ListFilter } from '../../ui/list-page.ts';
import styles from './audit.module.css';
import { actionChoices, actionText, fieldText, recordNumber, recordText } from './audit-words.ts';
import { ChangesTable } from './ChangesTable.tsx';
import { changesOf } from './changes.ts';
import { recordName, recordPlace } from './record-place.ts';

/** As many field names as one cell has room for. */
const namedMax = 3;

/** "phone, position and 2 more", for who scans the list without unfolding it. */
function changedText(entry: AuditEntry): string {
  if (entry.before === null || entry.before === undefined) return '';
  if (entry.after === null || entry.after === undefined) return '';
  const changed = changesOf(entry.before, entry.after).filter(({ kind }) => kind !== 'same');
  const named = changed.slice(0, namedMax).map(({ path }) => fieldText(path));
  const names = named.join(phrase('list.comma'));
  return changed.length > namedMax
    ? phrase('audit.changedAndMore', { names, count: changed.length - namedMax })
    : names;
}

function auditColumns(mayOpen: (path: string) => boolean): ListColumn<typeof listAuditEntries>[] {
  return [
    {
      key: 'at',
      title: phrase('audit.at'),
      widthPx: 168,
      sort: 'at',
      initiallyPinned: true,
      render: (entry) => <Instant at={entry.at} exact />,
    },
    {
      key: 'user',
      title: phrase('audit.who'),
      widthPx: 128,
      render: (entry) => {
        const name = entry.userName ?? phrase('audit.system');
        return entry.userName !== null && mayOpen('/user') ? (
          <Link to={`/user?userName=${encodeURIComponent(entry.userName)}`}>{name}</Link>
        ) : (
          name
        );
      },
    },
    { key: 'kind', title: phrase('audit.kind'), widthPx: 88, render: (entry) => phrase(`audit-kind.${entry.kind}`) },
    { key: 'action', title: phrase('audit.action'), widthPx: 184, render: (entry) => actionText(entry.action) },
    {
      key: 'record',
      title: phrase('audit.record'),
      widthPx: 208,
      render: (entry) => {
        const text = [recordText(entry.recordKind), recordNumber(entry), recordName(entry) ?? ''].join(' ');
        const place = recordPlace(entry);
        return place !== null && entry.kind !== 'delete' && mayOpen(place.page) ? (
          <Link to={place.address}>{text}</Link>
        ) : (
          text
        );
      },
    },
    {
      key: 'changed',
      title: phrase('audit.changed'),
      widthPx: 220,
      render: (entry) => <span className={styles.summary}>{changedText(entry) || nothingText}</span>,
    },
    {
      key: 'address',
      title: phrase('audit.address'),
      widthPx: 136,
      render: (entry) => <span className={styles.mono}>{entry.remoteAddress}</span>,
    },
  ];
}

function auditFilters(mayFindUsers: boolean): ListFilter<typeof listAuditEntries>[] {
  const user = { kind: 'record', name: 'userId', label: phrase('audit.who'), ...userChoices } as const;
  return [
    ...(mayFindUsers ? [user] : []),
    {
      kind: 'choice',
      name: 'kind',
      label: phrase('audit.kind'),
      choices: auditKinds.map((value) => ({ value, label: phrase(`audit-kind.${value}`) })),
    },
    { kind: 'period', name: 'period', label: phrase('audit.at'), from: 'from', to: 'to' },
    { kind: 'choice', name: 'action', label: phrase('audit.action'), single: true, choices: actionChoices() },
    {
      kind: 'choice',
      name: 'recordKind',
      label: phrase('audit.recordKind'),
      single: true,
      choices: auditRecordKinds.map((value) => ({ value, label: recordText(value) })),
    },
    { kind: 'text', name: 'recordId', label: phrase('audit.recordId') },
    { kind: 'text', name: 'remoteAddress', label: phrase('audit.address') },
  ];
}

/** Who did what to which record, before and after; /auditLog. */
export default function AuditLogPage() {
  const can = useCan();
  const mayOpen = useMayOpen();
  return (
    <ListPage
      name="audit"
      title={phrase('audit.title')}
      route={listAuditEntries}
      rowKey={(entry) => entry.id}
      rowName={(entry) => phrase('audit.rowName', { action: actionText(entry.action), id: entry.recordId })}
      filters={auditFilters(can('user.read'))}
      columns={auditColumns(mayOpen)}
      details={(entry) => <ChangesTable entry={entry} />}
      {...(can('audit.export') ? { exportRoute: exportAuditEntries, exportList: 'listAuditEntries' as const } : {})}
      empty={{ title: phrase('audit.empty') }}
    />
  );
}
