import type { AuditEntry } from '@voltdeck/contract/audit';
import type { OrderId, StationId } from '@voltdeck/units/id';
import { type Place, place } from '../../session/place.ts';
import { findable } from '../../ui/is-masked.ts';

/** A record's current name, or its name at the time of the act. */
export function recordName({
  recordName: named,
  before,
  after,
}: Pick<AuditEntry, 'recordName' | 'before' | 'after'>): string | null {
  if (named !== null) return named;
  for (const side of [after, before]) {
    if (typeof side !== 'object' || side === null) continue;
    for (const field of ['realName', 'userName', 'name', 'number', 'title', 'nameZh', 'key', 'nickname']) {
      const value = (side as Readonly<Record<string, unknown>>)[field];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return null;
}

/** The address that shows a record of the audit log; null for records without a screen. */
export function recordPlace(
  entry: Pick<AuditEntry, 'recordKind' | 'recordId' | 'recordName' | 'before' | 'after'>,
): Place | null {
  const id = Number(entry.recordId);
  const name = recordName(entry) ?? undefined;
  switch (entry.recordKind) {
    case 'station':
      return place('deviceDetail', { id: id as StationId });
    case 'order':
      return place('orderListDetailHistory', { id: id as OrderId });
    case 'user':
      return place('user', { text: name === undefined ? name : findable(name) });
    case 'position':
      return place('role', { name });
    case 'menu':
      return place('menu');
    case 'approval':
      return place('approvalList', { number: name });
    case 'config':
      return place('configList');
    case 'feedback':
      return place('feedbackList');
    case 'advert':
      return place('advertList');
    case 'article':
      return place('newsList');
    case 'file':
      return place('fileList');
    case 'task':
    case 'export':
      return place('taskList');
    default:
      return null;
  }
}
