import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';
import type { ReactElement } from 'react';
import { type PhraseKey, phrase } from '../../phrases.ts';
import styles from './form.module.css';
import { RowItem } from './RowItem.tsx';

type Key = string | number;

type Props<Of extends Key> = {
  /** Set by the form. */
  id?: string | undefined;
  /** What the rows are about, each once. */
  keys: readonly Of[];
  /** Everything that a row may be about. */
  choices: readonly { value: Of; label: string }[];
  /** Where the value of a row is in that of the field. */
  pathOf: (key: Of, index: number) => readonly Key[];
  /** Of a row's value; gets `id`, `value` and `onChange` from the form. */
  control: (key: Of, label: string) => ReactElement;
  /** Names of the two controls and the button of a row, each with its `number`, and of the button for one more. */
  words: { choice: PhraseKey; value: PhraseKey; remove: PhraseKey; add: PhraseKey };
  onAdd: (key: Of) => void;
  onChoose: (index: number, key: Of) => void;
  onRemove: (index: number) => void;
};

/** Rows of something chosen and its value. A fault of a value stands at its row. */
export function RowsField<Of extends Key>(props: Props<Of>) {
  const { id, keys, choices, words } = props;
  const taken = new Set(keys);
  const next = choices.find(({ value }) => !taken.has(value));
  return (
    <div id={id} className={styles.rows}>
      {keys.map((key, index) => (
        <div key={key} className={styles.rowOf}>
          <Select<Of>
            aria-label={phrase(words.choice, { number: index + 1 })}
            className={styles.rowChoice ?? ''}
            showSearch={{ optionFilterProp: 'label' }}
            value={key}
            options={choices.filter(({ value }) => value === key || !taken.has(value))}
            onChange={(chosen) => props.onChoose(index, chosen)}
          />
          <RowItem path={props.pathOf(key, index)}>
            {props.control(key, phrase(words.value, { number: index + 1 }))}
          </RowItem>
          <Button
            type="text"
            danger
            icon={<DeleteOutlined />}
            aria-label={phrase(words.remove, { number: index + 1 })}
            onClick={() => props.onRemove(index)}
          />
        </div>
      ))}
      <Button
        icon={<PlusOutlined />}
        disabled={next === undefined}
        onClick={() => next !== undefined && props.onAdd(next.value)}
      >
        {phrase(words.add)}
      </Button>
    </div>
  );
}
