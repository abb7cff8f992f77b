import { CheckOutlined, DeleteOutlined, EditOutlined, StarFilled, StarOutlined } from '@ant-design/icons';
import { movesWithDay, queryToKeep, valuesNow } from '@voltdeck/contract/filter-set-query';
import { changeFilterSet, deleteFilterSet, type FilterSet, keepFilterSet } from '@voltdeck/contract/views';
import { instant } from '@voltdeck/units/instant';
import { Button, Input } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { call } from '../../api/call.ts';
import { Refused } from '../../api/refused.ts';
import { phrase } from '../../phrases.ts';
import { DisabledReason } from '../DisabledReason.tsx';
import { failureText } from '../failure-text.ts';
import styles from './filter-sets.module.css';
import type { FilterSetsProps } from './filter-sets.ts';
import { forgetFilterSet, rememberFilterSet } from './view-store.ts';

const nameLengthMax = 40;
const clock = () => instant(Date.now());

type Props = FilterSetsProps & { sets: readonly FilterSet[]; chosen: FilterSet | undefined; onDone: () => void };

/** A list's filter sets: choose, save, rename and delete. Loaded on demand. */
export default function FilterSetPanel({ list, parameters, search, onChoose, sets, chosen, onDone }: Props) {
  const [name, setName] = useState('');
  const [renamed, setRenamed] = useState<{ id: FilterSet['id']; name: string } | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const faultId = useId();
  const query = queryToKeep(search, parameters, clock());
  const given = name.trim();

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    setFault(null);
    try {
      await act();
    } catch (failure) {
      const named = failure instanceof Refused ? failure.fields[0]?.message : undefined;
      setFault(named ?? failureText(failure).text);
    } finally {
      setBusy(false);
    }
  };
  const keep = () =>
    attempt(async () => {
      rememberFilterSet(await call(keepFilterSet, { body: { list, name: given, query }, quiet: true }));
      setName('');
    });
  const change = (id: FilterSet['id'], body: { name?: string; isFirst?: boolean }) =>
    attempt(async () => {
      rememberFilterSet(await call(changeFilterSet, { params: { id }, body, quiet: true }));
      setRenamed(null);
    });
  const remove = (id: FilterSet['id']) =>
    attempt(async () => {
      await call(deleteFilterSet, { params: { id }, quiet: true });
      forgetFilterSet(id);
    });

  return (
    <div className={styles.panel}>
      {sets.length === 0 ? (
        <p className={styles.none}>{phrase('list.filterSetsNone')}</p>
      ) : (
        <ul className={styles.list}>
          {sets.map((set) => (
            <li key={set.id} className={styles.row}>
              {renamed?.id === set.id ? (
                <form
                  className={styles.rename}
                  onSubmit={(event) => {
                    event.preventDefault();
                    void change(set.id, { name: renamed.name });
                  }}
                >
                  <Input
                    autoFocus
                    size="small"
                    maxLength={nameLengthMax}
                    aria-label={phrase('list.filterSetRename', { name: set.name })}
                    value={renamed.name}
                    onChange={(event) => setRenamed({ id: set.id, name: event.target.value })}
                    onKeyDown={(event) => {
                      if (event.key !== 'Escape') return;
                      event.stopPropagation();
                      setRenamed(null);
                    }}
                  />
                  <Button
                    size="small"
                    type="primary"
                    htmlType="submit"
                    icon={<CheckOutlined />}
                    aria-label={phrase('list.filterSetSave')}
                    disabled={renamed.name.trim() === ''}
                  />
                </form>
              ) : (
                <>
                  <button
                    type="button"
                    className={styles.choose}
                    aria-pressed={set === chosen}
                    onClick={() => {
                      onChoose(valuesNow(set.query, parameters, clock()));
                      onDone();
                    }}
                  >
                    <span className={styles.name}>{set.name}</span>
                    {movesWithDay(set.query) ? <small>{phrase('list.filterSetMoves')}</small> : null}
                  </button>
                  <RowButton
                    label={phrase(set.isFirst ? 'list.filterSetNotFirst' : 'list.filterSetFirst', { name: set.name })}
                    isPressed={set.isFirst}
                    icon={set.isFirst ? <StarFilled /> : <StarOutlined />}
                    onClick={() => void change(set.id, { isFirst: !set.isFirst })}
                  />
                  <RowButton
                    label={phrase('list.filterSetRename', { name: set.name })}
                    icon={<EditOutlined />}
                    onClick={() => setRenamed({ id: set.id, name: set.name })}
                  />
                  <RowButton
                    label={phrase('list.filterSetDelete', { name: set.name })}
                    icon={<DeleteOutlined />}
                    onClick={() => void remove(set.id)}
                  />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <form
        className={styles.keep}
        onSubmit={(event) => {
          event.preventDefault();
          if (query !== '' && given !== '') void keep();
        }}
      >
        <Input
          maxLength={nameLengthMax}
          placeholder={phrase('list.filterSetName')}
          aria-label={phrase('list.filterSetName')}
          aria-describedby={faultId}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <DisabledReason
          type="primary"
          htmlType="submit"
          loading={isBusy}
          because={
            query === '' ? phrase('list.filterSetNothing') : given === '' ? phrase('list.filterSetUnnamed') : undefined
          }
        >
          {phrase(sets.some((set) => set.name === given) ? 'list.filterSetReplace' : 'list.filterSetSave')}
        </DisabledReason>
      </form>
      <p id={faultId} role="alert" className={styles.fault}>
        {fault}
      </p>
    </div>
  );
}

type RowButtonProps = { label: string; icon: ReactNode; isPressed?: boolean; onClick: () => void };

function RowButton({ label, icon, isPressed, onClick }: RowButtonProps) {
  return (
    <Button
      size="small"
      type="text"
      icon={icon}
      title={label}
      aria-label={label}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
      onClick={onClick}
    />
  );
}
