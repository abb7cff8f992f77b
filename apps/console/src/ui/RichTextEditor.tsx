import { Suspense } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { withWords } from '../words.ts';
import type { EditorBodyProps } from './editor/EditorBody.tsx';
import styles from './editor/editor.module.css';

/** The editor's library is larger than the rest of a form, so it loads when the first editor opens. */
const EditorBody = lazyPart(withWords(['content', 'errors'], () => import('./editor/EditorBody.tsx')));

/** Formatted text as a form field. Its HTML must still be sanitised where it is stored. */
export function RichTextEditor(props: EditorBodyProps) {
  return (
    <Suspense
      fallback={
        <div className={styles.waiting} aria-busy="true">
          <span className="for-readers">{phrase('shell.loading')}</span>
        </div>
      }
    >
      <EditorBody {...props} />
    </Suspense>
  );
}
