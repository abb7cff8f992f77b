import { Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { phrase } from '../phrases.ts';
import type { Choice, RecordChoices } from './list/list-view.ts';

type Props = {
  /** Set by the form. */
  id?: string;
  value?: readonly number[];
  onChange?: (value: number[] | undefined, names: ReadonlyMap<number, string>) => void;
  choices: Pick<RecordChoices, 'search'>;
  max: number;
  /** The names of those that are selected at first. */
  known?: readonly { id: number; name: string }[];
};

const typingPauseMs = 300;

/** Selects several records of another list by parts of their names; the value are their ids. */
export function RecordsSelect({ id, value = [], onChange, choices, max, known = [] }: Props) {
  const [found, setFound] = useState<readonly Choice[]>([]);
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(
    () => new Map(known.map(({ id: one, name }) => [one, name])),
  );
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
  const options = found.map((choice) => ({ value: Number(choice.value), label: choice.label }));
  for (const one of value) {
    if (!options.some((option) => option.value === one)) {
      options.unshift({ value: one, label: chosen.get(one) ?? String(one) });
    }
  }
  return (
    <Select<number[]>
      {...(id === undefined ? {} : { id })}
      mode="multiple"
      value={[...value]}
      maxCount={max}
      maxTagCount="responsive"
      allowClear
      showSearch={{ filterOption: false, onSearch: typed }}
      loading={isLoading}
      options={options}
      notFoundContent={phrase(isLoading ? 'shell.loading' : 'list.nothingFound')}
      onOpenChange={(isOpen) => {
        if (isOpen) ask('', 0);
      }}
      onChange={(next) => {
        const named = options.filter((option) => next.includes(option.value));
        const names = new Map([...chosen, ...named.map((one) => [one.value, one.label] as const)]);
        setChosen(names);
        onChange?.(next.length === 0 ? undefined : next, names);
      }}
    />
  );
}
