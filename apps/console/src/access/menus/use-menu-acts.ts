import { changeMenu, deleteMenu, listMenus, type Menu, orderMenus } from '@voltdeck/contract/menus';
import { App } from 'antd';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/queries.ts';
import { language } from '../../language.ts';
import { phrase } from '../../phrases.ts';
import { useCan } from '../../session/use-can.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { consequenceOf } from './menu-consequence.ts';
import { bodyOf } from './menu-form-body.ts';
import { placedAt, siblingCodes } from './menu-rows.ts';

const nameOf = (menu: Menu) => (language === 'en' ? menu.nameEn : menu.nameZh);

/** What can be done with a menu of the tree. `moved` is the latest move, for screen readers. */
export function useMenuActs(menus: readonly Menu[]) {
  const can = useCan();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const { message } = App.useApp();
  const [moved, setMoved] = useState('');
  const [isBusy, setBusy] = useState(false);

  const move = async (menu: Menu, place: number) => {
    const before = siblingCodes(menus, menu.parentCode);
    const codes = placedAt(before, menu.code, place);
    if (isBusy || codes.join() === before.join()) return;
    setBusy(true);
    try {
      await call(orderMenus, { body: { parentCode: menu.parentCode, codes } });
      await refresh(listMenus);
      setMoved(
        phrase('menu-list.moved', { name: nameOf(menu), place: codes.indexOf(menu.code) + 1, count: codes.length }),
      );
    } catch {
      // The refusal has been shown; the order is unchanged.
    } finally {
      setBusy(false);
    }
  };

  const change = async (menu: Menu, what: Partial<Pick<Menu, 'shown' | 'enabled'>>, idempotencyKey: string) => {
    await call(changeMenu, { params: { code: menu.code }, body: { ...bodyOf(menu), ...what }, idempotencyKey });
    message.success(phrase('menu-list.saved', { name: nameOf(menu) }));
    await refresh(listMenus);
  };

  const toggle = async (menu: Menu, what: 'shown' | 'enabled') => {
    try {
      if (!menu[what]) return await change(menu, { [what]: true }, newIdempotencyKey());
      const act = what === 'shown' ? 'hide' : 'disable';
      const details = await consequenceOf(menu, menus, act, can('position.read') || can('user.read'));
      await confirm({
        question: phrase(`menu-list.${act}Question`, { name: nameOf(menu) }),
        details,
        verb: phrase(`menu-list.${act}`),
        danger: true,
        act: (idempotencyKey) => change(menu, { [what]: false }, idempotencyKey),
      });
    } catch {
      // The refusal has been shown; the switch stays as it was.
    }
  };

  const remove = (menu: Menu) =>
    void confirm({
      question: phrase('menu-list.deleteQuestion', { name: nameOf(menu), code: menu.code }),
      details: phrase('menu-list.deleteDetails'),
      verb: phrase('menu-list.delete'),
      danger: true,
      act: async (idempotencyKey) => {
        await call(deleteMenu, { params: { code: menu.code }, idempotencyKey });
        message.success(phrase('menu-list.deleted', { name: nameOf(menu) }));
        await refresh(listMenus);
      },
    });

  const tellSaved = (menu: Menu) => void message.success(phrase('menu-list.saved', { name: nameOf(menu) }));

  return { move, toggle, remove, tellSaved, isBusy, moved };
}
