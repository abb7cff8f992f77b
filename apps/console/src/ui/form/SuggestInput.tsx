import { AutoComplete, Input } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './form.module.css';

export type Suggestion = { value: string; label: ReactNode };

type Props = {
  /** Set by the form. */
  id?: string;
  value?: string | undefined;
  onChange?: (text: string) => void;
  /** Finds suggestions for the typed text; shows none if refused. */
  suggest: ((text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>) | null;
  maxLength: number;
  inputMode?: 'numeric' | 'text';
};

/** Long enough to finish typing a group of digits. */
const typingPauseMs = 300;

/** A text that identifies a record, typed in full or chosen from suggestions. */
export function SuggestInput({ id, value, onChange, suggest, maxLength, inputMode = 'text', ...given }: Props) {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const asked = useRef<AbortController | null>(null);
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(
    () => () => {
      clearTimeout(pause.current);
      asked.current?.abort();
    },
    [],
  );
  const ask = (text: string, afterMs: number) => {
    clearTimeout(pause.current);
    if (suggest === null) return;
    pause.current = setTimeout(async () => {
      asked.current?.abort();
      const question = new AbortController();
      asked.current = question;
      try {
        setFound(await suggest(text.trim(), question.signal));
      } catch {
        // The number can still be typed in full.
        if (!question.signal.aborted) setFound([]);
      }
    }, afterMs);
  };
  return (
    <AutoComplete
      {...(id === undefined ? {} : { id })}
      value={value ?? ''}
      options={[...found]}
      defaultActiveFirstOption={false}
      onFocus={() => ask(value ?? '', 0)}
      onChange={(text) => {
        onChange?.(text ?? '');
        ask(text ?? '', typingPauseMs);
      }}
    >
      <Input {...given} maxLength={maxLength} inputMode={inputMode} className={styles.code ?? ''} autoComplete="off" />
    </AutoComplete>
  );
}
