import {
  checkGroupMemberImport,
  type GroupMemberImport,
  getGroupMemberImportReport,
  getGroupMemberTemplate,
  groupMemberImportColumns,
  groupMemberImportLimits,
  startGroupMemberImport,
} from '@voltdeck/contract/group-member-imports';
import { listGroupMembers } from '@voltdeck/contract/group-members';
import { listGroups } from '@voltdeck/contract/groups';
import type { GroupId } from '@voltdeck/units/id';
import { Form } from 'antd';
import { useState } from 'react';
import { useAction } from '../api/queries.ts';
import { upload } from '../api/upload.ts';
import { phrase } from '../phrases.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordSelect } from '../ui/RecordSelect.tsx';
import { SheetImportDialog } from '../ui/upload/SheetImportDialog.tsx';

type Props = { open: boolean; onClose: () => void; onDone: (text: string) => void };

/** Names users of a group from a workbook: checked row by row first, then all at once after consent. */
export default function GroupMemberImportDialog({ open, onClose, onDone }: Props) {
  const [groupId, setGroupId] = useState<number | undefined>(undefined);
  const start = useAction(startGroupMemberImport, { changes: [listGroupMembers, listGroups] });
  return (
    <SheetImportDialog<GroupMemberImport>
      title={phrase('groupImport.title')}
      intro={
        <>
          <p>{phrase('groupImport.intro')}</p>
          <Form layout="vertical">
            <Form.Item label={phrase('groupMembers.group')} htmlFor="group-import-group">
              <RecordSelect
                id="group-import-group"
                choices={recordChoices.group}
                {...(groupId === undefined ? {} : { value: groupId })}
                onChange={(chosen) => setGroupId(chosen)}
              />
            </Form.Item>
          </Form>
        </>
      }
      limits={groupMemberImportLimits}
      columns={groupMemberImportColumns}
      words={{ checked: 'groupImport.checked', changedNow: 'groupImport.changedNow', start: 'groupImport.start' }}
      nameTitle="groupMembers.phone"
      faultsOf={({ faults }) => faults.map(({ phone: name, ...row }) => ({ ...row, name }))}
      isReady={groupId !== undefined}
      getTemplate={() => fetchFile(getGroupMemberTemplate, {})}
      check={(file, options) =>
        upload(checkGroupMemberImport, file, { ...options, query: { groupId: groupId as GroupId }, quiet: true })
      }
      getReport={({ id }) => fetchFile(getGroupMemberImportReport, { params: { id } })}
      start={({ id }) => start.mutateAsync({ params: { id }, quiet: true })}
      open={open}
      onClose={onClose}
      onDone={({ goodCount: count }) => onDone(phrase('groupImport.done', { count }))}
    />
  );
}
