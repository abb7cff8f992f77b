import { Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { phrase } from '../phrases.ts';
import type { Choice } from './list-page.ts';

export type RecordSelectProps = {
  /** Given by the form. */
  id?: string;
  value?: number | undefined;
  onChange?: (value: number | undefined) => void;
  /** The name of the record that the form opens with. */
  initialName?: string | null | undefined;
  search: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
  /** Names a record that the form did not open with: one that was chosen before a reload. */
  nameOf?: (value: string, signal: AbortSignal) => Promise<string | null>;
  /** Whether it may be left empty. */
  optional?: boolean;
};

const typingPauseMs = 300;

/** One record of another list as a form's field, found by typing a part of its name; the value is its id. */
export function RecordSelect({
  id,
  value,
  onChange,
  initialName,
  search,
  nameOf,
  optional = false,
}: RecordSelectProps) {
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const [isLoading, setLoading] = useState(false);
  const [first] = useState({ value, name: initialName });
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
  const [learned, setLearned] = useState<{ value: number; name: string } | null>(null);
  const isNamed =
    value === undefined ||
    (first.value === value && Boolean(first.name)) ||
    learned?.value === value ||
    choices.some((choice) => Number(choice.value) === value);
  useEffect(() => {
    if (isNamed || nameOf === undefined) return;
    const question = new AbortController();
    nameOf(String(value), question.signal).then(
      (name) => {
        if (name !== null) setLearned({ value, name });
      },
      // The number stays in the field.
      () => {},
    );
    return () => question.abort();
  }, [isNamed, nameOf, value]);
  const options = choices.map((choice) => ({ value: Number(choice.value), label: choice.label }));
  if (value !== undefined && !options.some((option) => option.value === value)) {
    const known = learned?.value === value ? learned.name : first.value === value ? first.name : null;
    options.unshift({ value, label: known ?? String(value) });
  }
  return (
    <Select<number | null>
      {...(id === undefined ? {} : { id })}
      value={value ?? null}
      allowClear={optional}
      showSearch={{ filterOption: false, onSearch: (text) => ask(text, typingPauseMs) }}
      loading={isLoading}
      options={options}
      notFoundContent={phrase(isLoading ? 'shell.loading' : 'list.nothingFound')}
      onOpenChange={(open) => {
        if (open) ask('', 0);
      }}
      onChange={(next) => onChange?.(next ?? undefined)}
    />
  );
}
