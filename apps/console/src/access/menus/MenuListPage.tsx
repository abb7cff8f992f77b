import { PlusOutlined, ReloadOutlined } from '@ant-design/icons';
import { listMenus } from '@voltdeck/contract/menus';
import { Button, Input, Tooltip } from 'antd';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../api/lazy-part.ts';
import { useAnswer } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { useCan } from '../../session/use-can.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useReopenedDraft } from '../../ui/use-draft.ts';
import type { MenuFormTask } from './MenuFormDrawer.tsx';
import { MenuTable } from './MenuTable.tsx';
import { menuRows } from './menu-rows.ts';
import styles from './menus.module.css';
import { useMenuActs } from './use-menu-acts.ts';

const MenuFormDrawer = lazyPart(() => import('./MenuFormDrawer.tsx'));

/** The menu tree: what the sidebar shows, its order, and what is disabled; /menu. */
export default function MenuListPage() {
  const can = useCan();
  const answer = useAnswer(listMenus, {});
  const [chosen, setFolded] = useState<ReadonlySet<string> | null>(null);
  const [text, setText] = useState('');
  const [task, setTask] = useState<MenuFormTask | null>(null);
  const [isOpen, setOpen] = useState(false);
  const menus = answer.data ?? [];
  // Groups and screens are expanded at first, the buttons of a screen are folded.
  const folded =
    chosen ?? new Set(menus.filter(({ kind }) => kind === 'button').flatMap(({ parentCode }) => parentCode ?? []));
  const rows = menuRows(menus, folded, text);
  const mayEdit = can('menu.edit');
  const show = (next: MenuFormTask) => {
    setTask(next);
    setOpen(true);
  };
  const { move, toggle, remove, tellSaved, isBusy, moved } = useMenuActs(menus);
  useReopenedDraft('menu add ', () => show({ kind: 'add', parent: null }));

  const parents = new Set(menus.flatMap(({ parentCode }) => (parentCode === null ? [] : [parentCode])));

  return (
    <div className={styles.page}>
      <h1 className="for-readers">{phrase('menu-list.title')}</h1>
      <div className={styles.panel}>
        <div className={styles.bar}>
          {mayEdit && answer.data !== undefined ? (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ kind: 'add', parent: null })}>
              {phrase('menu-list.add')}
            </Button>
          ) : null}
          <search className={styles.search}>
            <Input
              aria-label={phrase('menu-list.filter')}
              placeholder={phrase('menu-list.filter')}
              value={text}
              maxLength={64}
              allowClear
              onChange={(event) => setText(event.target.value)}
            />
          </search>
          <Button
            disabled={text !== '' || answer.data === undefined}
            onClick={() => setFolded(folded.size === 0 ? new Set(parents) : new Set())}
          >
            {phrase(folded.size === 0 ? 'menu-list.foldAll' : 'menu-list.unfoldAll')}
          </Button>
          <span className={styles.total}>
            {answer.data === undefined ? null : phrase('list.total', { total: menus.length })}
          </span>
          <Tooltip title={phrase('list.refresh')}>
            <Button
              type="text"
              aria-label={phrase('list.refresh')}
              icon={<ReloadOutlined spin={answer.isFetching} />}
              onClick={() => void answer.refetch()}
            />
          </Tooltip>
        </div>
        {answer.isError && answer.data === undefined ? (
          <ErrorState failure={answer.error} title={phrase('list.failed')} retry={() => void answer.refetch()} />
        ) : answer.data !== undefined && rows.length === 0 ? (
          <EmptyState
            title={phrase('list.emptyFiltered')}
            action={<Button onClick={() => setText('')}>{phrase('list.clearFilters')}</Button>}
          />
        ) : (
          <MenuTable
            rows={answer.data === undefined ? undefined : rows}
            isBusy={isBusy}
            isSearched={text.trim() !== ''}
            mayEdit={mayEdit}
            onFold={(code) => {
              const next = new Set(folded);
              if (!next.delete(code)) next.add(code);
              setFolded(next);
            }}
            onMove={(menu, place) => void move(menu, place)}
            onToggle={(menu, what) => void toggle(menu, what)}
            onAdd={(parent) => show({ kind: 'add', parent })}
            onEdit={(menu) => show({ kind: 'edit', menu })}
            onDelete={remove}
          />
        )}
        <p className="for-readers" role="status">
          {moved}
        </p>
      </div>
      <Suspense>
        {task === null ? null : (
          <MenuFormDrawer
            key={task.kind === 'edit' ? `edit ${task.menu.code}` : `add ${task.parent?.code ?? ''}`}
            task={task}
            menus={menus}
            open={isOpen}
            onClose={() => setOpen(false)}
            onSaved={tellSaved}
          />
        )}
      </Suspense>
    </div>
  );
}
