import { lazy, Suspense } from 'react';
import { phrase } from '../phrases.ts';
import type { EditorBodyProps } from './editor/EditorBody.tsx';
import styles from './editor/editor.module.css';

/** The editor's library is larger than everything else of a form: it comes when the first one is opened. */
const EditorBody = lazy(() => import('./editor/EditorBody.tsx'));

/** Formatted text as a form's field. Its HTML still has to be sanitised by whoever keeps it. */
export function RichTextEditor(props: EditorBodyProps) {
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
