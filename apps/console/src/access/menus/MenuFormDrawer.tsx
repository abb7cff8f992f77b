import { changeMenu, createMenu, listMenus, type Menu } from '@voltdeck/contract/menus';
import { screenAt } from '@voltdeck/contract/screens';
import { Form } from 'antd';
import { language } from '../../language.ts';
import { phrase } from '../../phrases.ts';
import { isLink } from '../../session/menus.ts';
import { nothingText } from '../../ui/figures.ts';
import { RouteForm } from '../../ui/form/RouteForm.tsx';
import { IconPicker } from './IconPicker.tsx';
import { newMenu } from './menu-form-body.ts';
import { possibleParents } from './menu-rows.ts';
import styles from './menus.module.css';

export type MenuFormTask = { kind: 'add'; parent: Menu | null } | { kind: 'edit'; menu: Menu };

type Props = {
  task: MenuFormTask;
  menus: readonly Menu[];
  open: boolean;
  onClose: () => void;
  onSaved: (menu: Menu) => void;
};

const nameOf = (menu: Menu) => (language === 'en' ? menu.nameEn : menu.nameZh);

/** Adds or changes a menu. Built-in menus keep their kind, route and permission. */
export default function MenuFormDrawer({ task, menus, open, onClose, onSaved }: Props) {
  const menu = task.kind === 'edit' ? task.menu : null;
  const isBuiltIn = menu?.builtIn ?? false;
  const isMenu = ({ kind }: { kind?: Menu['kind'] | undefined }) => kind !== 'button';
  return (
    <RouteForm
      route={createMenu}
      change={changeMenu}
      record={menu}
      params={menu === null ? {} : { code: menu.code }}
      title={menu === null ? phrase('menu-list.addTitle') : phrase('menu-list.editTitle', { name: nameOf(menu) })}
      submitLabel={phrase(menu === null ? 'menu-list.add' : 'menu-list.save')}
      draft={task.kind === 'edit' ? `menu ${task.menu.code}` : `menu add ${task.parent?.code ?? ''}`}
      initial={newMenu(menus, task.kind === 'add' ? task.parent : null)}
      fields={{
        parentCode: {
          label: 'menu-list.parent',
          hint: 'menu-list.parentHint',
          kind: 'select',
          options: possibleParents(menus, menu?.code ?? null).map((parent) => ({
            value: parent.menu.code,
            label: nameOf(parent.menu),
            style: { paddingInlineStart: 12 * parent.level },
          })),
        },
        kind: {
          label: 'menu-list.kind',
          hint: ({ kind }) =>
            phrase(kind === 'button' && menu === null ? 'menu-list.buttonHint' : 'menu-list.kindHint'),
          word: (kind) => phrase(`menu-kind.${kind}`),
          fixedIf: () => isBuiltIn,
        },
        code: { label: 'menu-list.code', kind: 'code' },
        nameZh: { label: 'menu-list.nameZh', isShort: true },
        nameEn: { label: 'menu-list.nameEn', isShort: true },
        frontendUrl: {
          label: 'menu-list.frontendUrl',
          kind: 'code',
          hint: ({ frontendUrl }) => {
            const url = frontendUrl?.trim() ?? '';
            if (isBuiltIn) return phrase('menu-list.urlFixed');
            if (url === '') return phrase('menu-list.urlNone');
            if (isLink(url)) return phrase('menu-list.urlLink');
            return phrase(screenAt(url) === undefined ? 'menu-list.urlUnknown' : 'menu-list.urlKnown');
          },
          shownIf: isMenu,
          fixedIf: () => isBuiltIn,
        },
        icon: {
          label: 'menu-list.icon',
          hint: 'menu-list.iconHint',
          control: <IconPicker menus={menus} />,
          shownIf: isMenu,
        },
        backendUrl: {
          label: 'menu-list.backendUrl',
          hint: 'menu-list.backendHint',
          kind: 'code-lines',
          rows: 1,
          below: () =>
            menu === null ? null : (
              <Form.Item label={phrase('menu-list.permission')} extra={phrase('menu-list.permissionHint')}>
                <span className={styles.mono}>{menu.permission ?? nothingText}</span>
              </Form.Item>
            ),
        },
        sort: { label: 'menu-list.sort', hint: 'menu-list.sortHint' },
        shown: { label: 'menu-list.shown', hint: 'menu-list.shownHint', isShort: true, shownIf: isMenu },
        enabled: { label: 'menu-list.enabled', hint: 'menu-list.enabledHint', isShort: true },
      }}
      adjust={(body) =>
        isMenu(body) ? body : { ...body, frontendUrl: null, icon: null, shown: menu === null || menu.shown }
      }
      fieldOf={{
        'menu.code_taken': 'code',
        'menu.url_taken': 'frontendUrl',
        'menu.circle': 'parentCode',
        'menu.not_hideable': 'enabled',
        'menu.built_in': 'kind',
      }}
      refreshes={[listMenus]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
