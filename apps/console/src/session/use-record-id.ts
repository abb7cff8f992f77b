import type { Id } from '@voltdeck/units/id';
import { useSearchParams } from 'react-router';

/** The id of a record in the address of its page; null where there is none, or none that an id can be. */
export function useRecordId<RecordId extends Id<string>>(name = 'id'): RecordId | null {
  const [search] = useSearchParams();
  const id = Number(search.get(name));
  return Number.isSafeInteger(id) && id >= 1 ? (id as RecordId) : null;
}
