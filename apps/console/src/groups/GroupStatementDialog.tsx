import { type Group, getGroupStatement, type statementFormats } from '@voltdeck/contract/groups';
import { instant, shanghaiDate } from '@voltdeck/units/instant';
import { Alert, Button, Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { useAttempt } from '../ui/use-attempt.ts';

type Props = { group: Group; open: boolean; onClose: () => void };

/** The month of a group to download: this month at first. */
export default function GroupStatementDialog({ group, open, onClose }: Props) {
  const [month, setMonth] = useState(() => shanghaiDate(instant(Date.now())).slice(0, 7));
  const { attempt, failure, forget } = useAttempt();
  const download = (format: (typeof statementFormats)[number]) =>
    void attempt(() => fetchFile(getGroupStatement, { params: { id: group.id, month }, query: { format } }));
  const close = () => {
    forget();
    onClose();
  };
  return (
    <Modal
      title={phrase('groups.statementTitle', { name: group.name })}
      open={open}
      onCancel={close}
      destroyOnHidden
      footer={
        <>
          <Button disabled={month === ''} onClick={() => download('pdf')}>
            {phrase('groups.statementPdf')}
          </Button>
          <Button type="primary" disabled={month === ''} onClick={() => download('xlsx')}>
            {phrase('groups.statementXlsx')}
          </Button>
        </>
      }
    >
      {failure === null ? null : <Alert type="error" showIcon title={failure} />}
      <Form layout="vertical">
        <Form.Item label={phrase('groups.statementMonth')} htmlFor="group-statement-month">
          <Input
            id="group-statement-month"
            type="month"
            value={month}
            onChange={({ target }) => setMonth(target.value)}
          />
        </Form.Item>
      </Form>
    </Modal>
  );
}
