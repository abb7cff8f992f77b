import { lazy, Suspense } from 'react';
import { phrase } from '../phrases.ts';
import styles from './editor/editor.module.css';

/** The editor's library is larger than everything else of a form: it comes when the first one is opened. */
const EditorBody = lazy(() => import('./editor/EditorBody.tsx'));

export type RichTextEditorProps = {
  /** Given by the form. */
  id?: string;
  /** HTML; empty when nothing is written. */
  value?: string | undefined;
  onChange?: (html: string) => void;
  /** What is written here, for those who cannot see the form. */
  label: string;
  /** The form waits while a picture is on its way. */
  onBusy?: (isBusy: boolean) => void;
};

/** Formatted text as a form's field. Its HTML still has to be sanitised by whoever keeps it. */
export function RichTextEditor(props: RichTextEditorProps) {
  return (
    <Suspense
      fallback={
        <div className={styles.waiting} aria-busy="true">
          <span className="for-readers">{phrase('content.editorLoading')}</span>
        </div>
      }
    >
      <EditorBody {...props} />
    </Suspense>
  );
}
