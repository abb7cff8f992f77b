import { Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { phrase } from '../phrases.ts';
import type { Choice, RecordChoices } from './list/list-view.ts';

export type RecordSelectProps = {
  /** Set by the form. */
  id?: string;
  value?: number | undefined;
  onChange?: (value: number | undefined, name: string) => void;
  choices: Pick<RecordChoices, 'search'> & Partial<RecordChoices>;
  /** The name of the initial record, if known. */
  name?: string | null | undefined;
  /** Whether it may be left empty. */
  optional?: boolean;
  disabled?: boolean;
  /** Shown within the field if there is no label above it. */
  label?: string;
  'aria-label'?: string;
};

/** Long enough to finish typing a word. */
const typingPauseMs = 300;

/** Selects one record of another list by part of its name; the value is its id. For forms and filters. */
export function RecordSelect(props: RecordSelectProps) {
  const { id, value, onChange, choices, name, optional = false, disabled = false, label, ...rest } = props;
  const [found, setFound] = useState<readonly Choice[]>([]);
  const [isLoading, setLoading] = useState(false);
  const [learned, setLearned] = useState<ReadonlyMap<number, string>>(new Map());
  const [first] = useState(value);
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
        setFound(await choices.search(text, question.signal));
      } catch {
        // A refusal has been shown already; the field keeps its options.
      } finally {
        if (asked.current === question) setLoading(false);
      }
    }, afterMs);
  };

  /** What was found for another text must not be picked for this one. */
  const typed = (text: string) => {
    setFound([]);
    setLoading(true);
    ask(text, typingPauseMs);
  };

  // In a form the name belongs to the initial record, in a filter to the chosen one.
  const given = label !== undefined || value === first ? name : undefined;
  const shownName = value === undefined ? undefined : (learned.get(value) ?? given);
  const { nameOf } = choices;
  useEffect(() => {
    if (value === undefined || shownName || nameOf === undefined) return;
    const question = new AbortController();
    nameOf(String(value), question.signal).then(
      (told) => {
        if (told !== null) setLearned((names) => new Map(names).set(value, told));
      },
      // The number stays in the field.
      () => {},
    );
    return () => question.abort();
  }, [value, shownName, nameOf]);

  const options = found.map((choice) => ({ value: Number(choice.value), label: choice.label }));
  if (value !== undefined && !options.some((option) => option.value === value)) {
    options.unshift({ value, label: shownName || String(value) });
  }
  return (
    <Select<number | null>
      {...rest}
      {...(id === undefined ? {} : { id })}
      {...(label === undefined
        ? {}
        : { 'aria-label': label, prefix: <span className="field-label">{label}</span>, style: { width: '100%' } })}
      value={value ?? null}
      allowClear={optional}
      disabled={disabled}
      showSearch={{ filterOption: false, onSearch: typed }}
      loading={isLoading}
      options={options}
      notFoundContent={phrase(isLoading ? 'shell.loading' : 'list.nothingFound')}
      onOpenChange={(isOpen) => {
        if (isOpen) ask('', 0);
      }}
      onChange={(next) => {
        const itsName = options.find((option) => option.value === next)?.label ?? '';
        if (next !== null && next !== undefined) setLearned((names) => new Map(names).set(next, itsName));
        onChange?.(next ?? undefined, itsName);
      }}
    />
  );
}
