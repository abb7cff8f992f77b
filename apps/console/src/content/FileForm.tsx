import { changeFile, listFiles, type StoredFile } from '@voltdeck/contract/content';
import { Form, Input } from 'antd';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';

const nameMax = 200;
const descriptionMax = 500;

type Values = { name: string; description?: string | undefined };
type Props = { file: StoredFile; open: boolean; onClose: () => void; onSaved: (file: StoredFile) => void };

/** What a file is called and what it is about; its bytes stay. */
export default function FileForm({ file, open, onClose, onSaved }: Props) {
  const refresh = useRefresh();
  return (
    <FormDrawer<Values, StoredFile>
      as="dialog"
      title={phrase('content.editFile', { name: file.name })}
      open={open}
      onClose={onClose}
      draftKey={`file ${file.id}`}
      initial={{ name: file.name, description: file.description }}
      submitLabel={phrase('content.save')}
      submit={({ name, description }) =>
        call(changeFile, {
          params: { id: file.id },
          body: { name: name.trim(), description: description?.trim() ?? '' },
          quiet: true,
        })
      }
      onDone={(saved) => {
        void refresh(listFiles);
        onSaved(saved);
      }}
    >
      <Form.Item
        name="name"
        label={phrase('content.fileName')}
        rules={[{ required: true, whitespace: true, message: phrase('field.required') }]}
      >
        <Input maxLength={nameMax} />
      </Form.Item>
      <Form.Item name="description" label={phrase('content.fileDescription')}>
        <Input.TextArea rows={3} maxLength={descriptionMax} showCount />
      </Form.Item>
    </FormDrawer>
  );
}
