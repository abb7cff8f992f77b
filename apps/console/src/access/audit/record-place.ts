import type { AuditEntry } from '@voltdeck/contract/audit';

/** What a record was called at the time, from what the act noted of it. */
export function recordName({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string | null {
  for (const side of [after, before]) {
    if (typeof side !== 'object' || side === null) continue;
    for (const field of ['realName', 'userName', 'name', 'number', 'title', 'nameZh', 'key', 'nickname']) {
      const value = (side as Readonly<Record<string, unknown>>)[field];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return null;
}

/** Where a record of the audit log can be looked at; null for those without a place of their own. */
export function recordPlace({
  recordKind,
  recordId,
  before,
  after,
}: Pick<AuditEntry, 'recordKind' | 'recordId' | 'before' | 'after'>): { page: string; address: string } | null {
  const id = encodeURIComponent(recordId);
  const name = encodeURIComponent(recordName({ before, after }) ?? '');
  switch (recordKind) {
    case 'station':
      return { page: '/deviceList', address: `/deviceDetail?id=${id}` };
    case 'order':
      return { page: '/orderListHistory', address: `/orderListDetailHistory?id=${id}` };
    case 'user':
      return { page: '/user', address: name === '' ? '/user' : `/user?text=${name}` };
    case 'position':
      return { page: '/role', address: name === '' ? '/role' : `/role?name=${name}` };
    case 'menu':
      return { page: '/menu', address: '/menu' };
    case 'config':
      return { page: '/configList', address: '/configList' };
    case 'feedback':
      return { page: '/feedbackList', address: '/feedbackList' };
    case 'advert':
      return { page: '/advertList', address: '/advertList' };
    case 'article':
      return { page: '/newsList', address: '/newsList' };
    case 'file':
      return { page: '/fileList', address: '/fileList' };
    case 'task':
    case 'export':
      return { page: '/taskList', address: '/taskList' };
    default:
      return null;
  }
}
