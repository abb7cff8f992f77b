import { listGroupMembers } from '@voltdeck/contract/group-members';
import type { GroupId } from '@voltdeck/units/id';
import { call } from '../api/call.ts';
import type { RecordChoices } from '../ui/list/list-view.ts';

const choicesMax = 20;

/** The bound members of a group, found by phone or name. */
export function boundMembersOf(groupId: GroupId): Pick<RecordChoices, 'search'> {
  return {
    search: async (text, signal) => {
      const named = text === '' ? {} : /^\d+$/.test(text) ? { phone: text } : { name: text };
      const query = { groupId, state: ['bound' as const], pageSize: choicesMax, ...named };
      const { items } = await call(listGroupMembers, { query, signal });
      return items.map(({ id, name, phone }) => ({
        value: String(id),
        label: name === '' ? phone : `${name} · ${phone}`,
      }));
    },
  };
}
