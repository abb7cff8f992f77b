import { AutoComplete, Input } from 'antd';
import { useRef, useState } from 'react';
import type { Choice } from './list-view.ts';

type Props = {
  label: string;
  value: string | undefined;
  suggestions: readonly Choice[];
  onChange: (value: string | undefined) => void;
};

/** A text with suggestions, matched by text or value; applied by choosing, Enter or leaving the field. */
export default function SuggestField({ label, value, suggestions, onChange }: Props) {
  const wordFor = (of: string | undefined) => suggestions.find((choice) => choice.value === of)?.label ?? of ?? '';
  const [text, setText] = useState(wordFor(value));
  const [shown, setShown] = useState(value);
  // Not an effect: effects run again when a hidden tab comes back, which would undo what was being typed.
  if (shown !== value) {
    setShown(value);
    setText(wordFor(value));
  }
  const apply = (typed: string) => {
    const trimmed = typed.trim();
    const next = suggestions.find((choice) => choice.label === trimmed)?.value ?? trimmed;
    setText(wordFor(next));
    if (next !== (value ?? '')) onChange(next === '' ? undefined : next);
  };
  // Enter on a suggestion reaches both the list and the field; the field must then ignore the partial text.
  const hasChosen = useRef(false);
  const choose = (label: string) => {
    hasChosen.current = true;
    setTimeout(() => {
      hasChosen.current = false;
    });
    apply(label);
  };
  const isChosen = text === wordFor(value);
  const typed = text.trim().toLowerCase();
  return (
    <AutoComplete
      style={{ width: '100%' }}
      value={text}
      options={suggestions
        .filter((choice) => isChosen || choice.label.toLowerCase().includes(typed))
        .map((choice) => ({ value: choice.label, label: choice.label }))}
      onChange={(next: string | undefined) => {
        setText(next ?? '');
        if (next === undefined || next === '') apply('');
      }}
      onSelect={(next) => choose(next ?? '')}
      defaultActiveFirstOption={false}
      onBlur={() => apply(text)}
    >
      <Input
        aria-label={label}
        prefix={<span className="field-label">{label}</span>}
        maxLength={64}
        allowClear
        onPressEnter={() =>
          queueMicrotask(() => {
            if (!hasChosen.current) apply(text);
          })
        }
      />
    </AutoComplete>
  );
}
