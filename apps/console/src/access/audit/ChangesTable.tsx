import type { AuditEntry } from '@voltdeck/contract/audit';
import { listMenus } from '@voltdeck/contract/menus';
import { Button } from 'antd';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { language } from '../../language.ts';
import { phrase } from '../../phrases.ts';
import { useCan } from '../../session/use-can.ts';
import styles from './audit.module.css';
import { fieldText, valueText } from './audit-words.ts';
import { type Change, changesMax, changesOf, listChange } from './changes.ts';

const namesFreshMs = 60_000;

/** Positions and menus list codes; users who may read menus see their names. */
function useMenuNames({ recordKind }: AuditEntry): (code: string) => string {
  const can = useCan();
  const isOfMenus = recordKind === 'position' || recordKind === 'menu';
  const { data } = useAnswer(
    listMenus,
    {},
    { enabled: isOfMenus && (can('menu.read') || can('position.read')), staleMs: namesFreshMs },
  );
  if (!isOfMenus || data === undefined) return (code) => code;
  const names = new Map(data.map(({ code, nameZh, nameEn }) => [code, language === 'en' ? nameEn : nameZh]));
  return (code) => names.get(code) ?? code;
}

/** Before and after side by side: changed fields first and marked, the others on demand. */
export function ChangesTable({ entry }: { entry: AuditEntry }) {
  const [isWhole, setWhole] = useState(false);
  const nameOf = useMenuNames(entry);
  const changes = changesOf(entry.before, entry.after);
  const changed = changes.filter(({ kind }) => kind !== 'same');
  const same = changes.length - changed.length;
  const shown = (isWhole ? changes : changed).slice(0, changesMax);
  const left = (isWhole ? changes : changed).length - shown.length;
  if (changes.length === 0) {
    return (
      <div className={styles.changes}>
        <p className={styles.none}>{phrase('audit.noFields')}</p>
      </div>
    );
  }
  const hasBefore = entry.before !== null && entry.before !== undefined;
  const hasAfter = entry.after !== null && entry.after !== undefined;
  return (
    <div className={styles.changes}>
      {shown.length === 0 ? (
        <p className={styles.none}>{phrase('audit.nothingChanged')}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{phrase('audit.field')}</th>
              {hasBefore ? <th scope="col">{phrase('audit.before')}</th> : null}
              {hasAfter ? <th scope="col">{phrase('audit.after')}</th> : null}
            </tr>
          </thead>
          <tbody>
            {shown.map((change) => (
              <tr key={change.path} data-kind={change.kind}>
                <th scope="row">{fieldText(change.path)}</th>
                {hasBefore ? <Cell change={change} side="before" nameOf={nameOf} /> : null}
                {hasAfter ? <Cell change={change} side="after" nameOf={nameOf} /> : null}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {left > 0 ? <p className={styles.none}>{phrase('audit.more', { count: left })}</p> : null}
      {same === 0 ? null : (
        <Button type="link" size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {phrase(isWhole ? 'audit.hideSame' : 'audit.showSame', { count: same })}
        </Button>
      )}
    </div>
  );
}

type CellProps = { change: Change; side: 'before' | 'after'; nameOf: (code: string) => string };

function Cell({ change, side, nameOf }: CellProps) {
  const isMarked = change.kind !== 'same';
  const list = listChange(change.before, change.after);
  if (list === null) {
    const text = valueText(change.path, change[side]);
    return <td>{isMarked ? side === 'before' ? <del>{text}</del> : <ins>{text}</ins> : text}</td>;
  }
  const own = side === 'before' ? list.removed : list.added;
  return (
    <td>
      <ul className={styles.values}>
        {own.map((item) => (
          <li key={item}>{side === 'before' ? <del>{nameOf(item)}</del> : <ins>{nameOf(item)}</ins>}</li>
        ))}
        {list.kept.length === 0 ? null : (
          <li className={styles.kept}>
            {phrase(own.length === 0 ? 'audit.keptAll' : 'audit.kept', { count: list.kept.length })}
          </li>
        )}
      </ul>
    </td>
  );
}
