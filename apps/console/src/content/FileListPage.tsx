import { FileOutlined, FileTextOutlined, UploadOutlined } from '@ant-design/icons';
import {
  deleteFile,
  downloadFile,
  filePurposes,
  fileRules,
  listFiles,
  type StoredFile,
} from '@voltdeck/contract/content';
import { App, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { call, download } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { copyText } from '../ui/copy-text.ts';
import { nothingText, sizeText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import type { ListColumn, ListFilter, RowAction } from '../ui/list-page.ts';
import { saveFile } from '../ui/save-file.ts';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import { useTell } from '../ui/use-tell.ts';
import styles from './content.module.css';
import { isPicture, typeText } from './file-words.ts';

/** Loaded when one is opened: a list is read far more often than it is acted on. */
const FileForm = lazy(() => import('./FileForm.tsx'));
const FileUploadDialog = lazy(() => import('./FileUploadDialog.tsx'));
const PictureViewer = lazy(() => import('../ui/PictureViewer.tsx'));

/** URL of a file's picture; a private one is served by the API, to whoever has a token. */
const pictureAddress = (file: StoredFile) =>
  fileRules[file.purpose].public ? file.url : `/api${downloadFile.path.replace('{id}', String(file.id))}`;

function FileMark({ file, onOpen }: { file: StoredFile; onOpen: () => void }) {
  if (isPicture(file) && fileRules[file.purpose].public) {
    return <Thumbnail address={file.url} name={file.name} onOpen={onOpen} />;
  }
  return (
    <span className={styles.fileMark}>{file.purpose === 'document' ? <FileTextOutlined /> : <FileOutlined />}</span>
  );
}

function fileColumns(open: (file: StoredFile) => void): ListColumn<typeof listFiles>[] {
  return [
    {
      key: 'name',
      title: phrase('content.fileName'),
      widthPx: 300,
      sort: 'name',
      initiallyPinned: true,
      render: (file) => (
        <span className={styles.fileName}>
          <FileMark file={file} onOpen={() => open(file)} />
          <button type="button" className={styles.linkButton} title={file.name} onClick={() => open(file)}>
            {file.name}
          </button>
        </span>
      ),
    },
    {
      key: 'description',
      title: phrase('content.fileDescription'),
      widthPx: 240,
      render: (file) => file.description || nothingText,
    },
    {
      key: 'purpose',
      title: phrase('content.filePurpose'),
      widthPx: 128,
      render: (file) => phrase(`file-purpose.${file.purpose}`),
    },
    { key: 'type', title: phrase('content.fileType'), widthPx: 128, render: (file) => typeText(file) },
    {
      key: 'size',
      title: phrase('content.fileSize'),
      widthPx: 104,
      align: 'right',
      render: (file) => <span className="figure">{sizeText(file.sizeBytes)}</span>,
    },
    {
      key: 'createdAt',
      title: phrase('content.uploadedAt'),
      widthPx: 172,
      sort: 'createdAt',
      render: (file) => <Instant at={file.createdAt} />,
    },
    {
      key: 'userName',
      title: phrase('content.uploadedBy'),
      widthPx: 128,
      render: (file) => file.userName ?? nothingText,
    },
    {
      key: 'dimensions',
      title: phrase('content.fileDimensions'),
      widthPx: 132,
      align: 'right',
      render: (file) => (
        <span className="figure">
          {file.widthPx === null || file.heightPx === null ? nothingText : `${file.widthPx} × ${file.heightPx}`}
        </span>
      ),
    },
    {
      key: 'url',
      title: phrase('content.filePath'),
      widthPx: 280,
      initiallyHidden: true,
      render: (file) =>
        fileRules[file.purpose].public ? (
          <span className={`${styles.cut} ${styles.mono}`} title={file.url}>
            {file.url}
          </span>
        ) : (
          phrase('content.privateFile')
        ),
    },
  ];
}

function fileFilters(): ListFilter<typeof listFiles>[] {
  return [
    { kind: 'text', name: 'name', label: phrase('content.fileName') },
    {
      kind: 'choice',
      name: 'purpose',
      label: phrase('content.filePurpose'),
      choices: filePurposes.map((value) => ({ value, label: phrase(`file-purpose.${value}`) })),
    },
  ];
}

type Overlay = { kind: 'upload' } | { kind: 'edit' | 'picture'; file: StoredFile };

/** What was uploaded, here and by the other screens; /fileList. */
export default function FileListPage() {
  const can = useCan();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const tell = useTell();
  const { message } = App.useApp();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [isOpen, setOpen] = useState(false);
  const show = (next: Overlay) => {
    setOverlay(next);
    setOpen(true);
  };
  const close = () => setOpen(false);

  const fetchFile = async (file: StoredFile) => {
    try {
      const answer = await download(downloadFile, { params: { id: file.id } });
      saveFile(answer.file, file.name);
    } catch (failure) {
      tell(failure);
    }
  };
  const open = (file: StoredFile) => (isPicture(file) ? show({ kind: 'picture', file }) : void fetchFile(file));

  const copyAddress = async (file: StoredFile) => {
    const isCopied = await copyText(new URL(file.url, location.origin).href);
    if (isCopied) message.success(phrase('content.addressCopied', { name: file.name }));
    else message.error(phrase('shell.copyFailed'));
  };

  const remove = (file: StoredFile) =>
    void confirm({
      question: phrase('content.deleteFileQuestion', { name: file.name, size: sizeText(file.sizeBytes) }),
      details: phrase('content.deleteFileDetails'),
      verb: phrase('content.delete'),
      danger: true,
      act: async () => {
        await call(deleteFile, { params: { id: file.id } });
        message.success(phrase('content.deleted', { name: file.name }));
        await refresh(listFiles);
      },
    });

  const actsOf = (file: StoredFile): RowAction[] => [
    { key: 'download', label: phrase('content.download'), onClick: () => void fetchFile(file) },
    ...(can('file.edit')
      ? [{ key: 'edit', label: phrase('content.edit'), onClick: () => show({ kind: 'edit', file }) }]
      : []),
    ...(fileRules[file.purpose].public
      ? [{ key: 'copy', label: phrase('content.copyAddress'), onClick: () => void copyAddress(file) }]
      : []),
    ...(can('file.edit')
      ? [{ key: 'delete', label: phrase('content.delete'), onClick: () => remove(file), danger: true }]
      : []),
  ];

  const add = can('file.edit') ? (
    <Button type="primary" icon={<UploadOutlined />} onClick={() => show({ kind: 'upload' })}>
      {phrase('content.upload')}
    </Button>
  ) : null;

  return (
    <>
      <ListPage
        name="files"
        title={phrase('content.filesTitle')}
        route={listFiles}
        rowKey={(file) => file.id}
        rowName={(file) => `${phrase('content.file')} ${file.name}`}
        filters={fileFilters()}
        columns={fileColumns(open)}
        toolbar={add}
        rowActions={actsOf}
        empty={{ title: phrase('content.noFiles'), text: phrase('content.noFilesText'), action: add }}
      />
      <Suspense>
        {overlay?.kind === 'upload' ? <FileUploadDialog open={isOpen} onClose={close} /> : null}
        {overlay?.kind === 'edit' ? (
          <FileForm
            key={overlay.file.id}
            file={overlay.file}
            open={isOpen}
            onClose={close}
            onSaved={(file) => message.success(phrase('content.saved', { name: file.name }))}
          />
        ) : null}
        {overlay?.kind === 'picture' ? (
          <PictureViewer
            key={overlay.file.id}
            pictures={[{ address: pictureAddress(overlay.file), name: overlay.file.name }]}
            open={isOpen}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </>
  );
}
