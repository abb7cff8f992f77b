import { Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { phrase } from '../../phrases.ts';
import type { Choice } from '../list-page.ts';

type Props = {
  label: string;
  value: string | undefined;
  /** The name of `value`, where it is known. */
  name: string | undefined;
  search: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
  onChange: (value: string | undefined, name: string) => void;
};

/** Long enough for a person to finish a word. */
const typingPauseMs = 300;

/** One record of another list, found by typing a part of its name. */
export function RecordField({ label, value, name, search, onChange }: Props) {
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const [isLoading, setLoading] = useState(false);
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
    pause.current = setTimeout(async () => {
      asked.current?.abort();
      const question = new AbortController();
      asked.current = question;
      setLoading(true);
      try {
        setChoices(await search(text, question.signal));
      } catch {
        // A refusal has been shown already; the field keeps what it had.
      } finally {
        if (asked.current === question) setLoading(false);
      }
    }, afterMs);
  };

  const options = choices.map((choice) => ({ value: choice.value, label: choice.label }));
  if (value !== undefined && !options.some((option) => option.value === value)) {
    options.unshift({ value, label: name ?? value });
  }
  return (
    <Select
      aria-label={label}
      style={{ width: '100%' }}
      prefix={<span className="field-label">{label}</span>}
      value={value ?? null}
      allowClear
      showSearch={{ filterOption: false, onSearch: (text) => ask(text, typingPauseMs) }}
      loading={isLoading}
      notFoundContent={phrase(isLoading ? 'shell.loading' : 'list.nothingFound')}
      options={options}
      onOpenChange={(open) => {
        if (open && choices.length === 0) ask('', 0);
      }}
      onChange={(next: string | null | undefined) => {
        const chosen = options.find((option) => option.value === next);
        onChange(next ?? undefined, chosen?.label ?? '');
      }}
    />
  );
}
