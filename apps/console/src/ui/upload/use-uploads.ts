import { type FilePurpose, type StoredFile, uploadFile } from '@voltdeck/contract/files';
import { useEffect, useRef, useState } from 'react';
import { upload } from '../../api/upload.ts';
import { failureText } from '../failure-text.ts';
import { fileFault } from './file-rules.ts';

export type Upload = {
  id: number;
  file: File;
  state: 'waiting' | 'sending' | 'failed' | 'done';
  /** 0 to 1. */
  share: number;
  /** Why it failed, in words. */
  fault: string | null;
  /** Whether a retry may help: not if the size or type is wrong. */
  isRetryable: boolean;
};

/** More concurrent uploads would only slow each other down. */
const sendingMax = 2;
/** The smallest visible step of progress. */
const shareStep = 0.01;

type Options = {
  purpose: FilePurpose;
  /** Called once per file, in order of completion. */
  onUploaded: (file: StoredFile, source: File) => void;
  /** Keeps finished uploads in the list. */
  keepDone?: boolean;
};

export type Uploads = {
  list: readonly Upload[];
  isBusy: boolean;
  add: (files: readonly File[], fields?: Readonly<Record<string, string>>) => void;
  retry: (id: number) => void;
  /** Stops and removes an upload. */
  remove: (id: number) => void;
  clear: () => void;
};

/** Uploads to the server, two at a time; each can be stopped, and retried after a failure. */
export function useUploads({ purpose, onUploaded, keepDone = false }: Options): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  /** The current state; `list` is what was last rendered. */
  const now = useRef<readonly Upload[]>([]);
  const nextId = useRef(1);
  const running = useRef(new Map<number, AbortController>());
  const fieldsOf = useRef(new Map<number, Readonly<Record<string, string>>>());
  const done = useRef(onUploaded);
  useEffect(() => {
    done.current = onUploaded;
  }, [onUploaded]);

  const set = (next: readonly Upload[]) => {
    now.current = next;
    setList(next);
  };
  const change = (id: number, part: Partial<Upload>) =>
    set(now.current.map((item) => (item.id === id ? { ...item, ...part } : item)));
  const forget = (id: number) => {
    fieldsOf.current.delete(id);
    set(now.current.filter((item) => item.id !== id));
  };

  const send = async ({ id, file }: Upload) => {
    const stop = new AbortController();
    running.current.set(id, stop);
    change(id, { state: 'sending', share: 0, fault: null });
    let shown = 0;
    try {
      const stored = await upload(uploadFile, file, {
        query: { purpose },
        fields: fieldsOf.current.get(id) ?? {},
        signal: stop.signal,
        quiet: true,
        onProgress: (share) => {
          if (share < 1 && share - shown < shareStep) return;
          shown = share;
          change(id, { share });
        },
      });
      running.current.delete(id);
      if (keepDone) change(id, { state: 'done', share: 1 });
      else forget(id);
      done.current(stored, file);
    } catch (failure) {
      running.current.delete(id);
      if (!stop.signal.aborted) {
        change(id, { state: 'failed', fault: failureText(failure).text, isRetryable: true });
      }
    }
    pump();
  };

  const pump = () => {
    const room = sendingMax - running.current.size;
    for (const item of now.current.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, room))) {
      void send(item);
    }
  };

  return {
    list,
    isBusy: list.some(({ state }) => state === 'waiting' || state === 'sending'),
    add: (files, fields = {}) => {
      const added = files.map((file): Upload => {
        const id = nextId.current;
        nextId.current += 1;
        const fault = fileFault(file, purpose);
        fieldsOf.current.set(id, fields);
        return { id, file, state: fault === null ? 'waiting' : 'failed', share: 0, fault, isRetryable: false };
      });
      set([...now.current, ...added]);
      pump();
    },
    retry: (id) => {
      change(id, { state: 'waiting', fault: null });
      pump();
    },
    remove: (id) => {
      running.current.get(id)?.abort();
      running.current.delete(id);
      forget(id);
      pump();
    },
    clear: () => {
      for (const stop of running.current.values()) stop.abort();
      running.current.clear();
      fieldsOf.current.clear();
      set([]);
    },
  };
}
