import type { Editor } from '@tiptap/react';
import { uploadFile } from '@voltdeck/contract/files';
import { App } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { refusalToastMs } from '../../api/reactions.ts';
import { upload } from '../../api/upload.ts';
import { phrase } from '../../phrases.ts';
import { failureText } from '../failure-text.ts';
import { fileFault } from '../upload/file-rules.ts';
import styles from './editor.module.css';
import { addPlace, placeOf, removePlace } from './picture-places.ts';

const toastSeconds = refusalToastMs / 1000;

/** The placeholder of a running upload; not a React element, because the editor owns the text. */
function placeElement(name: string, cancel: () => void): { element: HTMLElement; show: (share: number) => void } {
  const element = document.createElement('span');
  element.className = styles.place ?? '';
  element.contentEditable = 'false';
  const label = document.createElement('span');
  label.textContent = name;
  const progress = document.createElement('progress');
  progress.max = 1;
  progress.value = 0;
  progress.setAttribute('aria-label', name);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = phrase('shell.cancel');
  button.setAttribute('aria-label', phrase('content.cancelUpload', { name }));
  button.addEventListener('click', cancel);
  element.append(label, progress, button);
  return {
    element,
    show: (share) => {
      progress.value = share;
    },
  };
}

/** Uploads pictures into the text, each with a placeholder. Refusals are shown as a toast (specification section 5). */
export function usePictureUploads(): {
  isBusy: boolean;
  insert: (editor: Editor, files: readonly File[], position: number) => void;
} {
  const { message } = App.useApp();
  const [running, setRunning] = useState(0);
  const nextId = useRef(1);
  const stops = useRef(new Set<AbortController>());

  useEffect(() => {
    const { current } = stops;
    return () => {
      for (const stop of current) stop.abort();
    };
  }, []);

  const insertOne = async (editor: Editor, file: File, position: number) => {
    const fault = fileFault(file, 'editor');
    if (fault !== null) {
      message.error(fault, toastSeconds);
      return;
    }
    const id = nextId.current;
    nextId.current += 1;
    const stop = new AbortController();
    stops.current.add(stop);
    setRunning((count) => count + 1);
    const place = placeElement(file.name, () => stop.abort());
    addPlace(editor.view, id, position, place.element);
    try {
      const { url } = await upload(uploadFile, file, {
        query: { purpose: 'editor' },
        signal: stop.signal,
        quiet: true,
        onProgress: place.show,
      });
      if (editor.isDestroyed) return;
      const here = placeOf(editor.state, id);
      if (here !== null)
        editor
          .chain()
          .insertContentAt(here, { type: 'image', attrs: { src: url, alt: '' } })
          .run();
    } catch (failure) {
      if (!stop.signal.aborted) {
        message.error(
          <>
            <span>{phrase('content.pictureInsertFailed')}</span> <small>{failureText(failure).text}</small>
          </>,
          toastSeconds,
        );
      }
    } finally {
      stops.current.delete(stop);
      setRunning((count) => count - 1);
      if (!editor.isDestroyed) removePlace(editor.view, id);
    }
  };

  return {
    isBusy: running > 0,
    insert: (editor, files, position) => {
      for (const file of files) void insertOne(editor, file, position);
    },
  };
}
