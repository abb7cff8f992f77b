import { HolderOutlined } from '@ant-design/icons';
import type { Menu } from '@voltdeck/contract/menus';
import { screenAt } from '@voltdeck/contract/screens';
import { Switch } from 'antd';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { language } from '../../language.ts';
import { phrase } from '../../phrases.ts';
import { isLink } from '../../session/menus.ts';
import { nothingText } from '../../ui/figures.ts';
import { FoldButton } from '../../ui/list/FoldButton.tsx';
import type { RowAction } from '../../ui/list/list-view.ts';
import { RowActions } from '../../ui/list/RowActions.tsx';
import { menuIcon } from '../../ui/menu-icons.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import type { MenuRow } from './menu-rows.ts';
import styles from './menus.module.css';

type Props = {
  /** undefined until the first answer. */
  rows: readonly MenuRow[] | undefined;
  isBusy: boolean;
  /** Search results cannot be reordered. */
  isSearched: boolean;
  mayEdit: boolean;
  onFold: (code: string) => void;
  /** `place` is the index among its siblings, not counting itself. */
  onMove: (menu: Menu, place: number) => void;
  onToggle: (menu: Menu, what: 'shown' | 'enabled') => void;
  onAdd: (parent: Menu) => void;
  onEdit: (menu: Menu) => void;
  onDelete: (menu: Menu) => void;
};

const skeletonRows = 12;
const indentPx = 20;
/** Where a dragged menu would land: before or after the row under the pointer. */
type Landing = { code: string; side: 'before' | 'after' };

const nameOf = (menu: Menu) => (language === 'en' ? menu.nameEn : menu.nameZh);
const otherNameOf = (menu: Menu) => (language === 'en' ? menu.nameZh : menu.nameEn);

/** The menu tree as a table. Rows are reordered by dragging their handle, or with the arrow keys on it. */
export function MenuTable(props: Props) {
  const { rows, isBusy, isSearched, mayEdit, onMove } = props;
  const [dragged, setDragged] = useState<MenuRow | null>(null);
  const [landing, setLanding] = useState<Landing | null>(null);
  const mayMove = mayEdit && !isSearched;

  const landingAt = (event: DragEvent, row: MenuRow): Landing | null => {
    if (dragged === null || dragged.menu.parentCode !== row.menu.parentCode) return null;
    const box = event.currentTarget.getBoundingClientRect();
    return { code: row.menu.code, side: event.clientY < box.top + box.height / 2 ? 'before' : 'after' };
  };
  const drop = (row: MenuRow, { side }: Landing) => {
    if (dragged === null || row.menu.code === dragged.menu.code) return;
    const place = row.place - (row.place > dragged.place ? 1 : 0) + (side === 'after' ? 1 : 0);
    onMove(dragged.menu, place);
  };

  return (
    <ScrollRegion label={phrase('list.table', { title: phrase('menu-list.title') })} className={styles.region}>
      <table className={styles.table} aria-busy={isBusy || rows === undefined} data-busy={isBusy}>
        <thead>
          <tr>
            <th scope="col" className={styles.nameColumn}>
              {phrase('menu-list.name')}
            </th>
            <th scope="col" className={styles.wide}>
              {phrase('menu-list.code')}
            </th>
            <th scope="col" className={styles.narrow}>
              {phrase('menu-list.kind')}
            </th>
            <th scope="col" className={styles.medium}>
              {phrase('menu-list.frontendUrl')}
            </th>
            <th scope="col" className={styles.wider}>
              {phrase('menu-list.permission')}
            </th>
            <th scope="col" className={styles.widest}>
              {phrase('menu-list.backendUrl')}
            </th>
            <th scope="col" className={`${styles.widest} ${styles.right}`}>
              {phrase('menu-list.sort')}
            </th>
            <th scope="col" className={styles.switch}>
              {phrase('menu-list.shown')}
            </th>
            <th scope="col" className={styles.switch}>
              {phrase('menu-list.enabled')}
            </th>
            {mayEdit ? (
              <th scope="col" className={styles.actions}>
                {phrase('list.actions')}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
                <tr key={index}>
                  <td colSpan={mayEdit ? 10 : 9}>
                    <span className={styles.bone} style={{ width: `${30 + ((index * 17) % 40)}%` }} />
                  </td>
                </tr>
              ))
            : rows.map((row) => (
                <tr
                  key={row.menu.code}
                  data-landing={landing?.code === row.menu.code ? landing.side : undefined}
                  data-dragged={dragged?.menu.code === row.menu.code}
                  data-off={!row.menu.enabled}
                  onDragOver={(event) => {
                    const next = landingAt(event, row);
                    if (next === null) return;
                    event.preventDefault();
                    if (next.code !== landing?.code || next.side !== landing.side) setLanding(next);
                  }}
                  onDrop={(event) => {
                    const next = landingAt(event, row);
                    if (next === null) return;
                    event.preventDefault();
                    setLanding(null);
                    drop(row, next);
                  }}
                >
                  <MenuCells
                    {...props}
                    row={row}
                    mayMove={mayMove}
                    onDragStart={(event) => {
                      setDragged(row);
                      event.dataTransfer.effectAllowed = 'move';
                      event.dataTransfer.setData('text/plain', row.menu.code);
                      const line = event.currentTarget.closest('tr');
                      if (line !== null) event.dataTransfer.setDragImage(line, 16, 16);
                    }}
                    onDragEnd={() => {
                      setDragged(null);
                      setLanding(null);
                    }}
                  />
                </tr>
              ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

type CellsProps = Props & {
  row: MenuRow;
  mayMove: boolean;
  onDragStart: (event: DragEvent<HTMLButtonElement>) => void;
  onDragEnd: () => void;
};

function MenuCells(props: CellsProps) {
  const { row, isSearched, mayEdit, mayMove, onFold, onMove, onToggle } = props;
  const { menu, level, place, siblings, children, isFolded } = row;
  const name = nameOf(menu);
  const { frontendUrl } = menu;
  const isUnbuilt = frontendUrl !== null && !isLink(frontendUrl) && screenAt(frontendUrl) === undefined;

  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    if (place + by >= 0 && place + by < siblings) onMove(menu, place + by);
  };

  return (
    <>
      <td>
        <span className={styles.name} style={{ paddingInlineStart: (level - 1) * indentPx }}>
          {mayMove ? (
            <button
              type="button"
              className={styles.handle}
              draggable
              aria-label={phrase('menu-list.handle', { name, place: place + 1, count: siblings })}
              title={phrase('menu-list.handleHint')}
              onKeyDown={onKey}
              onDragStart={props.onDragStart}
              onDragEnd={props.onDragEnd}
            >
              <HolderOutlined />
            </button>
          ) : null}
          {children > 0 && !isSearched ? (
            <FoldButton isOpen={!isFolded} rowName={name} onToggle={() => onFold(menu.code)} />
          ) : (
            <span className={styles.noFold} />
          )}
          {menu.kind === 'menu' ? <span className={styles.picture}>{menuIcon(menu.icon)}</span> : null}
          <span className={styles.names}>
            <span className={menu.kind === 'menu' ? styles.strong : ''}>{name}</span>
            <span className={styles.quiet}>{otherNameOf(menu)}</span>
          </span>
          {isFolded ? <span className={styles.quiet}>{phrase('menu-list.below', { count: children })}</span> : null}
        </span>
      </td>
      <td className={`${styles.wide} ${styles.mono}`}>{menu.code}</td>
      <td className={styles.narrow}>
        {phrase(menu.kind === 'menu' && menu.frontendUrl === null ? 'menu-kind.group' : `menu-kind.${menu.kind}`)}
      </td>
      <td className={`${styles.medium} ${styles.mono}`}>
        {menu.frontendUrl ?? nothingText}
        {isUnbuilt ? <span className={styles.note}>{phrase('menu-list.unbuilt')}</span> : null}
      </td>
      <td className={`${styles.wider} ${styles.mono}`}>{menu.permission ?? nothingText}</td>
      <td className={`${styles.widest} ${styles.mono}`} title={menu.backendUrl}>
        {menu.backendUrl || nothingText}
      </td>
      <td className={`figure ${styles.widest} ${styles.right}`}>{menu.sort}</td>
      <td className={styles.switch}>
        {menu.kind === 'button' ? (
          nothingText
        ) : (
          <Switch
            size="small"
            checked={menu.shown}
            disabled={!mayEdit}
            aria-label={phrase('menu-list.showNamed', { name })}
            onChange={() => onToggle(menu, 'shown')}
          />
        )}
      </td>
      <td className={styles.switch}>
        <Switch
          size="small"
          checked={menu.enabled}
          disabled={!mayEdit}
          aria-label={phrase('menu-list.enableNamed', { name })}
          onChange={() => onToggle(menu, 'enabled')}
        />
      </td>
      {mayEdit ? (
        <td className={styles.actions}>
          <RowActions actions={actsOf(props)} rowName={name} />
        </td>
      ) : null}
    </>
  );
}

function actsOf({ row, isSearched, onMove, onAdd, onEdit, onDelete }: CellsProps): RowAction[] {
  const { menu, place, siblings, children } = row;
  const still = isSearched ? phrase('menu-list.moveSearched') : undefined;
  return [
    { key: 'edit', label: phrase('menu-list.edit'), onClick: () => onEdit(menu) },
    ...(menu.kind === 'menu' ? [{ key: 'add', label: phrase('menu-list.addBelow'), onClick: () => onAdd(menu) }] : []),
    {
      key: 'up',
      label: phrase('menu-list.moveUp'),
      because: still ?? (place === 0 ? phrase('menu-list.isFirst') : undefined),
      onClick: () => onMove(menu, place - 1),
    },
    {
      key: 'down',
      label: phrase('menu-list.moveDown'),
      because: still ?? (place === siblings - 1 ? phrase('menu-list.isLast') : undefined),
      onClick: () => onMove(menu, place + 1),
    },
    {
      key: 'delete',
      label: phrase('menu-list.delete'),
      danger: true,
      because: menu.builtIn
        ? phrase('error.menu.built_in')
        : children > 0
          ? phrase('error.menu.has_children')
          : undefined,
      onClick: () => onDelete(menu),
    },
  ];
}
