import { InboxOutlined } from '@ant-design/icons';
import { fileRules, listFiles } from '@voltdeck/contract/files';
import { App, Button, Input, Modal } from 'antd';
import { useId, useState } from 'react';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { FileDrop } from '../ui/upload/FileDrop.tsx';
import { megabytesText } from '../ui/upload/file-rules.ts';
import { UploadList } from '../ui/upload/UploadList.tsx';
import uploadStyles from '../ui/upload/upload.module.css';
import { useUploads } from '../ui/upload/use-uploads.ts';

const filesMax = 20;
const descriptionMax = 500;
const widthPx = 560;
const toastSeconds = 5;

/**
 * Uploads documents, chosen or dropped, several at once. A description applies to files chosen after it was entered.
 */
export default function FileUploadDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const refresh = useRefresh();
  const { message, modal } = App.useApp();
  const [description, setDescription] = useState('');
  const descriptionId = useId();
  const ruleId = useId();
  const uploads = useUploads({
    purpose: 'document',
    keepDone: true,
    onUploaded: () => void refresh(listFiles),
  });

  const end = () => {
    const count = uploads.list.filter(({ state }) => state === 'done').length;
    if (count > 0) message.success(phrase('content.uploadedCount', { count }));
    uploads.clear();
    setDescription('');
    onClose();
  };
  const leave = () => {
    if (!uploads.isBusy) return end();
    modal.confirm({
      title: phrase('shell.systemNotice'),
      content: phrase('content.stopUploads'),
      okText: phrase('content.stopUploadsVerb'),
      okButtonProps: { danger: true },
      cancelText: phrase('shell.cancel'),
      focusable: { autoFocusButton: 'cancel' },
      onOk: end,
    });
  };
  const add = (files: readonly File[]) => {
    uploads.add(files.slice(0, filesMax), description.trim() === '' ? {} : { description: description.trim() });
    if (files.length > filesMax) {
      message.warning(phrase('content.tooManyFiles', { count: filesMax, left: files.length - filesMax }), toastSeconds);
    }
  };

  return (
    <Modal
      title={phrase('content.uploadTitle')}
      open={open}
      onCancel={leave}
      width={widthPx}
      mask={{ closable: false }}
      destroyOnHidden
      footer={<Button onClick={leave}>{phrase(uploads.isBusy ? 'shell.cancel' : 'shell.close')}</Button>}
    >
      <label htmlFor={descriptionId}>{phrase('content.fileDescription')}</label>
      <Input
        id={descriptionId}
        value={description}
        maxLength={descriptionMax}
        style={{ margin: '4px 0 12px' }}
        onChange={(event) => setDescription(event.target.value)}
      />
      <FileDrop multiple describedBy={ruleId} onFiles={add}>
        <InboxOutlined className={uploadStyles.icon} />
        <span>
          {phrase('content.dropFiles')} <strong>{phrase('content.chooseFiles')}</strong>
        </span>
      </FileDrop>
      <p id={ruleId} className={uploadStyles.rule}>
        {phrase('content.fileRule', { max: megabytesText(fileRules.document.bytesMax), count: filesMax })}
      </p>
      <UploadList uploads={uploads} />
    </Modal>
  );
}
