import { changeFile, listFiles, type StoredFile } from '@voltdeck/contract/files';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { file: StoredFile; open: boolean; onClose: () => void; onSaved: (file: StoredFile) => void };

/** Changes a file's name and description, not its content. */
export default function FileForm({ file, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={changeFile}
      change={changeFile}
      record={file}
      title={phrase('content.editFile', { name: file.name })}
      submitLabel={phrase('content.save')}
      draft={`file ${file.id}`}
      fields={{
        name: { label: 'content.fileName', kind: 'text' },
        description: { label: 'content.fileDescription', rows: 3 },
      }}
      refreshes={[listFiles]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
