import { Modal } from 'antd';
import { language } from '../language.ts';
import { phrase } from '../phrases.ts';
import styles from './content.module.css';
import { previewDocument } from './preview-document.ts';

const widthPx = 460;

export type ArticlePreviewProps = {
  article: { title: string; content: string };
  open: boolean;
  onClose: () => void;
};

/** An article as a phone would show it, in a frame without scripts. */
export default function ArticlePreview({ article, open, onClose }: ArticlePreviewProps) {
  return (
    <Modal
      title={phrase('content.previewArticle', { name: article.title })}
      open={open}
      onCancel={onClose}
      footer={null}
      styles={{ header: { paddingInlineEnd: 32 } }}
      width={widthPx}
      centered
      destroyOnHidden
    >
      <iframe
        className={styles.phone}
        title={phrase('content.previewArticle', { name: article.title })}
        // The same origin lets our pictures load; without scripts nothing can abuse it.
        sandbox="allow-same-origin"
        srcDoc={previewDocument({ ...article, language, origin: location.origin })}
      />
      <p className={styles.phoneNote}>{phrase('content.previewNote')}</p>
    </Modal>
  );
}
