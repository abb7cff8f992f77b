import { FileOutlined, FileTextOutlined, UploadOutlined } from '@ant-design/icons';
import { deleteFile, downloadFile, fileRules, listFiles, type StoredFile } from '@voltdeck/contract/files';
import { call, download } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { copyText } from '../ui/copy-text.ts';
import { sizeText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { deletion } from '../ui/list/usual-acts.ts';
import type { Acts, ListPageProps } from '../ui/list-page.ts';
import { saveFile } from '../ui/save-file.ts';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import styles from './content.module.css';
import { isPicture, typeText } from './file-words.ts';

/** Lazy: most visits to a list never open it. */
const FileForm = lazyPart(() => import('./FileForm.tsx'));
const FileUploadDialog = lazyPart(() => import('./FileUploadDialog.tsx'));
const PictureViewer = lazyPart(() => import('../ui/PictureViewer.tsx'));

const isPublic = ({ purpose }: StoredFile) => fileRules[purpose].public;

/** URL of a file's picture. The API serves private ones to those with a token. */
const pictureAddress = (file: StoredFile) =>
  isPublic(file) ? file.url : `/api${downloadFile.path.replace('{id}', String(file.id))}`;

function FileName({ file, onOpen }: { file: StoredFile; onOpen: () => void }) {
  return (
    <span className={styles.fileName}>
      {isPicture(file) ? (
        <Thumbnail address={pictureAddress(file)} name={file.name} onOpen={onOpen} />
      ) : (
        <span className={styles.fileMark}>{file.purpose === 'document' ? <FileTextOutlined /> : <FileOutlined />}</span>
      )}
      <button type="button" className={styles.linkButton} title={file.name} onClick={onOpen}>
        {file.name}
      </button>
    </span>
  );
}

const look: ListPageProps<typeof listFiles>['look'] = {
  name: {
    widthPx: 300,
    isPinned: true,
    render: (file, begin) => <FileName file={file} onOpen={() => begin(isPicture(file) ? 'picture' : 'download')} />,
  },
  description: { widthPx: 240 },
  purpose: { widthPx: 128 },
  contentType: { widthPx: 128, render: typeText },
  widthPx: { widthPx: 132 },
  url: {
    widthPx: 280,
    isHidden: true,
    render: (file) =>
      isPublic(file) ? (
        <span className={`${styles.cut} ${styles.mono}`} title={file.url}>
          {file.url}
        </span>
      ) : (
        phrase('content.privateFile')
      ),
  },
};

const acts: Acts<StoredFile> = {
  upload: {
    on: 'list',
    label: 'content.upload',
    may: 'file.edit',
    icon: <UploadOutlined />,
    overlay: ({ open, close }) => <FileUploadDialog open={open} onClose={close} />,
  },
  download: {
    on: 'row',
    label: 'content.download',
    deed: ({ id, name }) => ({
      do: async () => {
        const { file } = await download(downloadFile, { params: { id } });
        saveFile(file, name);
        return null;
      },
    }),
  },
  picture: {
    on: 'row',
    label: 'content.preview',
    isQuiet: true,
    overlay: (file, { open, close }) => (
      <PictureViewer pictures={[{ address: pictureAddress(file), name: file.name }]} open={open} onClose={close} />
    ),
  },
  edit: {
    on: 'row',
    label: 'content.edit',
    may: 'file.edit',
    overlay: (file, { open, close, tell }) => (
      <FileForm
        file={file}
        open={open}
        onClose={close}
        onSaved={({ name }) => tell(phrase('content.saved', { name }))}
      />
    ),
  },
  copy: {
    on: 'row',
    label: 'content.copyAddress',
    isFor: isPublic,
    deed: ({ url, name }) => ({
      do: async () => {
        const isCopied = await copyText(new URL(url, location.origin).href);
        return isCopied ? phrase('content.addressCopied', { name }) : { warning: phrase('shell.copyFailed') };
      },
    }),
  },
  delete: deletion({
    label: 'content.delete',
    may: 'file.edit',
    question: ({ name, sizeBytes }) => phrase('content.deleteFileQuestion', { name, size: sizeText(sizeBytes) }),
    details: 'content.deleteFileDetails',
    act: ({ id }, idempotencyKey) => call(deleteFile, { params: { id }, idempotencyKey }),
    told: ({ name }) => phrase('content.deleted', { name }),
  }),
};

/** Uploaded files, from this and other screens; /fileList. */
export default function FileListPage() {
  return (
    <ListPage
      list={listFiles}
      title="content.filesTitle"
      record="content.file"
      filters={{ name: {}, purpose: {} }}
      look={look}
      acts={acts}
      empty={{ title: 'content.noFiles', text: 'content.noFilesText' }}
    />
  );
}
