import { Input, Select } from 'antd';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../api/lazy-part.ts';
import { phrase } from '../../phrases.ts';
import { RecordSelect } from '../RecordSelect.tsx';
import type { ListFilter, ListRoute } from './list-view.ts';
import { PeriodStandIn } from './PeriodStandIn.tsx';
import { RegionFilter } from './RegionFilter.tsx';
import { fenOfYuan, yuanOfFen } from './typed-yuan.ts';

const SuggestField = lazyPart(() => import('./SuggestField.tsx'));

const waiting = <span className="field-bone" />;

export type FilterFieldProps<R extends ListRoute> = {
  filter: ListFilter<R>;
  values: Readonly<Record<string, string>>;
  names: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string | undefined>, name?: string) => void;
};

/** A text filter, applied by Enter, the search button or leaving the field. */
function TextField({ label, value, maxLength, onChange }: TextFieldProps) {
  const [text, setText] = useState(value ?? '');
  const [shown, setShown] = useState(value);
  // Not an effect: effects run again when a hidden tab comes back, which would undo what was being typed.
  if (shown !== value) {
    setShown(value);
    setText(value ?? '');
  }
  const apply = (next: string) => {
    const trimmed = next.trim();
    if (trimmed !== (value ?? '')) onChange(trimmed === '' ? undefined : trimmed);
  };
  return (
    <Input
      aria-label={label}
      prefix={<span className="field-label">{label}</span>}
      value={text}
      maxLength={maxLength ?? 64}
      allowClear
      onChange={(event) => {
        setText(event.target.value);
        if (event.target.value === '') apply('');
      }}
      onPressEnter={(event) => {
        event.preventDefault();
        apply(text);
      }}
      onBlur={() => apply(text)}
    />
  );
}
type TextFieldProps = {
  label: string;
  value: string | undefined;
  maxLength: number | undefined;
  onChange: (value: string | undefined) => void;
};

export function FilterField<R extends ListRoute>({ filter, values, names, onChange }: FilterFieldProps<R>) {
  if (filter.kind === 'period') {
    const { from, to, which } = filter;
    return (
      <span className="period-field">
        {which === undefined ? null : (
          <Select
            aria-label={phrase('list.whichTime')}
            value={values[which.name] ?? which.choices[0]?.value ?? null}
            options={which.choices.map((choice) => ({ ...choice }))}
            popupMatchSelectWidth={false}
            onChange={(next: string | null) =>
              onChange({ [which.name]: next === which.choices[0]?.value ? undefined : (next ?? undefined) })
            }
          />
        )}
        <PeriodStandIn
          label={filter.label}
          from={values[from]}
          to={values[to]}
          isFine={filter.isFine ?? false}
          onChange={(start, end) => onChange({ [from]: start, [to]: end })}
        />
      </span>
    );
  }
  const value = values[filter.name];
  const change = (next: string | undefined, name?: string) => onChange({ [filter.name]: next }, name);
  switch (filter.kind) {
    case 'text':
      if (filter.suggestions !== undefined) {
        return (
          <Suspense fallback={waiting}>
            <SuggestField label={filter.label} value={value} suggestions={filter.suggestions} onChange={change} />
          </Suspense>
        );
      }
      return <TextField label={filter.label} value={value} maxLength={filter.maxLength} onChange={change} />;
    case 'money':
      return (
        <TextField
          label={filter.label}
          value={value === undefined ? undefined : yuanOfFen(value)}
          maxLength={14}
          onChange={(text) => change(text === undefined ? undefined : (fenOfYuan(text, filter.maxFen) ?? value))}
        />
      );
    case 'choice':
      return (
        <Select
          aria-label={filter.label}
          style={{ width: '100%' }}
          prefix={<span className="field-label">{filter.label}</span>}
          allowClear
          {...(filter.single ? {} : { mode: 'multiple' as const, maxTagCount: 'responsive' as const })}
          showSearch={filter.choices.length > 8 ? { optionFilterProp: 'label' } : false}
          value={filter.single ? (value ?? null) : ((value?.split(',') ?? []) as never)}
          options={filter.choices.map((choice) => ({ ...choice }))}
          onChange={(next: string | readonly string[] | null | undefined) => {
            const text = typeof next === 'string' ? next : (next ?? []).join(',');
            change(text === '' ? undefined : text);
          }}
        />
      );
    case 'flag':
      return (
        <Select
          aria-label={filter.label}
          style={{ width: '100%' }}
          prefix={<span className="field-label">{filter.label}</span>}
          allowClear
          value={value ?? null}
          options={[
            { value: 'true', label: filter.yes ?? phrase('list.yes') },
            { value: 'false', label: filter.no ?? phrase('list.no') },
          ]}
          onChange={(next: string | null | undefined) => change(next ?? undefined)}
        />
      );
    case 'record':
      return (
        <RecordSelect
          label={filter.label}
          value={value === undefined ? undefined : Number(value)}
          name={value === undefined ? undefined : names[`${filter.name}=${value}`]}
          choices={{ search: filter.search }}
          optional
          onChange={(next, name) => change(next === undefined ? undefined : String(next), name)}
        />
      );
    case 'region':
      return <RegionFilter label={filter.label} value={value} onChange={change} />;
  }
}
