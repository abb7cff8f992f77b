import { PlusOutlined, ReloadOutlined } from '@ant-design/icons';
import { changeMenu, deleteMenu, listMenus, type Menu, orderMenus } from '@voltdeck/contract/menus';
import { App, Button, Input, Tooltip } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { call } from '../../api/call.ts';
import { useAnswer, useRefresh } from '../../api/queries.ts';
import { language } from '../../language.ts';
import { phrase } from '../../phrases.ts';
import { useCan } from '../../session/use-can.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useReopenedDraft } from '../../ui/use-draft.ts';
import type { MenuFormTask } from './MenuFormDrawer.tsx';
import { MenuTable } from './MenuTable.tsx';
import { consequenceOf } from './menu-consequence.ts';
import { bodyOf, valuesOf } from './menu-form-body.ts';
import { menuRows, placedAt, siblingCodes } from './menu-rows.ts';
import styles from './menus.module.css';

const MenuFormDrawer = lazy(() => import('./MenuFormDrawer.tsx'));

const nameOf = (menu: Menu) => (language === 'en' ? menu.nameEn : menu.nameZh);

/** The menu tree: what stands in the sidebar, in which order, and what is switched off; /menu. */
export default function MenuListPage() {
  const can = useCan();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const { message } = App.useApp();
  const answer = useAnswer(listMenus, {});
  const [chosen, setFolded] = useState<ReadonlySet<string> | null>(null);
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [task, setTask] = useState<MenuFormTask | null>(null);
  const [isOpen, setOpen] = useState(false);
  const menus = answer.data ?? [];
  // Groups and screens to begin with; the buttons of a screen unfold.
  const folded =
    chosen ?? new Set(menus.filter(({ kind }) => kind === 'button').flatMap(({ parentCode }) => parentCode ?? []));
  const rows = menuRows(menus, folded, text);
  const mayEdit = can('menu.edit');
  const show = (next: MenuFormTask) => {
    setTask(next);
    setOpen(true);
  };
  useReopenedDraft('menu add ', () => show({ kind: 'add', parent: null }));

  const move = async (menu: Menu, place: number) => {
    const before = siblingCodes(menus, menu.parentCode);
    const codes = placedAt(before, menu.code, place);
    if (isBusy || codes.join() === before.join()) return;
    setBusy(true);
    try {
      await call(orderMenus, { body: { parentCode: menu.parentCode, codes } });
      await refresh(listMenus);
      setSaid(
        phrase('menu-list.moved', { name: nameOf(menu), place: codes.indexOf(menu.code) + 1, count: codes.length }),
      );
    } catch {
      // The refusal has been shown; the order is as it was.
    } finally {
      setBusy(false);
    }
  };

  const change = async (menu: Menu, what: Partial<Pick<Menu, 'shown' | 'enabled'>>) => {
    await call(changeMenu, { params: { code: menu.code }, body: { ...bodyOf(valuesOf(menu)), ...what } });
    message.success(phrase('menu-list.saved', { name: nameOf(menu) }));
    await refresh(listMenus);
  };

  const toggle = async (menu: Menu, what: 'shown' | 'enabled') => {
    try {
      if (!menu[what]) return await change(menu, { [what]: true });
      const act = what === 'shown' ? 'hide' : 'disable';
      const details = await consequenceOf(menu, menus, act, can('position.read') || can('user.read'));
      await confirm({
        question: phrase(`menu-list.${act}Question`, { name: nameOf(menu) }),
        details,
        verb: phrase(`menu-list.${act}`),
        danger: true,
        act: () => change(menu, { [what]: false }),
      });
    } catch {
      // The refusal has been shown; the switch stays where it was.
    }
  };

  const remove = (menu: Menu) =>
    void confirm({
      question: phrase('menu-list.deleteQuestion', { name: nameOf(menu), code: menu.code }),
      details: phrase('menu-list.deleteDetails'),
      verb: phrase('menu-list.delete'),
      danger: true,
      act: async () => {
        await call(deleteMenu, { params: { code: menu.code } });
        message.success(phrase('menu-list.deleted', { name: nameOf(menu) }));
        await refresh(listMenus);
      },
    });

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
          {said}
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
            onSaved={(menu) => message.success(phrase('menu-list.saved', { name: nameOf(menu) }))}
          />
        )}
      </Suspense>
    </div>
  );
}
