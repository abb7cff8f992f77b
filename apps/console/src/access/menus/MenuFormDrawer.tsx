import { changeMenu, createMenu, listMenus, type Menu, menuKinds } from '@voltdeck/contract/menus';
import { Form, Input, InputNumber, Radio, Select, Switch } from 'antd';
import { call } from '../../api/call.ts';
import { useRefresh } from '../../api/queries.ts';
import { hasPage } from '../../known-pages.ts';
import { language } from '../../language.ts';
import { phrase } from '../../phrases.ts';
import { FormDrawer } from '../../ui/FormDrawer.tsx';
import { nothingText } from '../../ui/figures.ts';
import { IconPicker } from './IconPicker.tsx';
import { bodyOf, type MenuValues, newMenu, valuesOf } from './menu-form-body.ts';
import { possibleParents } from './menu-rows.ts';
import styles from './menus.module.css';

export type MenuFormTask = { kind: 'add'; parent: Menu | null } | { kind: 'edit'; menu: Menu };

const sortMax = 1_000_000;

function draftKeyOf(task: MenuFormTask): string {
  return task.kind === 'edit' ? `menu ${task.menu.code}` : `menu add ${task.parent?.code ?? ''}`;
}

type Props = {
  task: MenuFormTask;
  menus: readonly Menu[];
  open: boolean;
  onClose: () => void;
  onSaved: (menu: Menu) => void;
};

/** Add a menu, or change one; what came with the product keeps its kind, route and permission. */
export default function MenuFormDrawer({ task, menus, open, onClose, onSaved }: Props) {
  const [form] = Form.useForm<MenuValues>();
  const refresh = useRefresh();
  const edited = task.kind === 'edit' ? task.menu : null;
  const isBuiltIn = edited?.builtIn ?? false;
  const kind = Form.useWatch('kind', form) ?? edited?.kind ?? 'menu';
  const url = (Form.useWatch('frontendUrl', form) ?? '').trim();
  const required = { required: true, whitespace: true, message: phrase('field.required') };
  const nameOf = (menu: Menu) => (language === 'en' ? menu.nameEn : menu.nameZh);
  const parents = possibleParents(menus, edited?.code ?? null).map(({ menu, level }) => ({
    value: menu.code,
    label: nameOf(menu),
    style: { paddingInlineStart: 12 * level },
  }));

  const save = (values: MenuValues, idempotencyKey: string): Promise<Menu> =>
    edited === null
      ? call(createMenu, { body: { ...bodyOf(values), code: values.code.trim() }, idempotencyKey, quiet: true })
      : call(changeMenu, {
          params: { code: edited.code },
          body: bodyOf({ ...edited, ...values } as MenuValues),
          quiet: true,
        });

  return (
    <FormDrawer<MenuValues, Menu>
      title={edited === null ? phrase('menu-list.addTitle') : phrase('menu-list.editTitle', { name: nameOf(edited) })}
      open={open}
      onClose={onClose}
      form={form}
      draftKey={draftKeyOf(task)}
      initial={edited === null ? newMenu(menus, task.kind === 'add' ? task.parent : null) : valuesOf(edited)}
      submitLabel={phrase(edited === null ? 'menu-list.add' : 'menu-list.save')}
      submit={save}
      fieldOf={{
        'menu.code_taken': 'code',
        'menu.url_taken': 'frontendUrl',
        'menu.circle': 'parentCode',
        'menu.not_hideable': 'enabled',
        'menu.built_in': 'kind',
      }}
      onDone={(menu) => {
        void refresh(listMenus);
        onSaved(menu);
      }}
    >
      <Form.Item name="parentCode" label={phrase('menu-list.parent')} extra={phrase('menu-list.parentHint')}>
        <Select allowClear showSearch={{ optionFilterProp: 'label' }} options={parents} />
      </Form.Item>
      <Form.Item
        name="kind"
        label={phrase('menu-list.kind')}
        required
        extra={phrase(kind === 'button' && edited === null ? 'menu-list.buttonHint' : 'menu-list.kindHint')}
      >
        <Radio.Group
          optionType="button"
          disabled={isBuiltIn}
          options={menuKinds.map((value) => ({ value, label: phrase(`menu-kind.${value}`) }))}
        />
      </Form.Item>
      <Form.Item
        name="code"
        label={phrase('menu-list.code')}
        rules={[required, { pattern: /^\s*[A-Za-z][A-Za-z0-9_.-]{0,63}\s*$/, message: phrase('menu-list.codeFormat') }]}
      >
        <Input maxLength={64} disabled={edited !== null} autoComplete="off" className={styles.mono} />
      </Form.Item>
      <div className={styles.formRow}>
        <Form.Item name="nameZh" label={phrase('menu-list.nameZh')} rules={[required]}>
          <Input maxLength={32} />
        </Form.Item>
        <Form.Item name="nameEn" label={phrase('menu-list.nameEn')} rules={[required]}>
          <Input maxLength={64} />
        </Form.Item>
      </div>
      {kind === 'menu' ? (
        <>
          <Form.Item
            name="frontendUrl"
            label={phrase('menu-list.frontendUrl')}
            extra={
              isBuiltIn
                ? phrase('menu-list.urlFixed')
                : url === ''
                  ? phrase('menu-list.urlNone')
                  : phrase(hasPage(url) ? 'menu-list.urlKnown' : 'menu-list.urlUnknown')
            }
            rules={[{ pattern: /^\s*(\/[A-Za-z0-9/_-]+)?\s*$/, message: phrase('menu-list.urlFormat') }]}
          >
            <Input maxLength={200} disabled={isBuiltIn} autoComplete="off" className={styles.mono} />
          </Form.Item>
          <Form.Item name="icon" label={phrase('menu-list.icon')} extra={phrase('menu-list.iconHint')}>
            <IconPicker menus={menus} />
          </Form.Item>
        </>
      ) : null}
      <Form.Item name="backendUrl" label={phrase('menu-list.backendUrl')} extra={phrase('menu-list.backendHint')}>
        <Input.TextArea maxLength={200} autoSize={{ minRows: 1, maxRows: 3 }} className={styles.mono} />
      </Form.Item>
      {edited === null ? null : (
        <Form.Item label={phrase('menu-list.permission')} extra={phrase('menu-list.permissionHint')}>
          <span className={styles.mono}>{edited.permission ?? nothingText}</span>
        </Form.Item>
      )}
      <Form.Item
        name="sort"
        label={phrase('menu-list.sort')}
        extra={phrase('menu-list.sortHint')}
        rules={[{ required: true, message: phrase('field.required') }]}
      >
        <InputNumber min={0} max={sortMax} precision={0} style={{ width: 160 }} />
      </Form.Item>
      <div className={styles.formRow}>
        {kind === 'menu' ? (
          <Form.Item
            name="shown"
            label={phrase('menu-list.shown')}
            required
            extra={phrase('menu-list.shownHint')}
            valuePropName="checked"
          >
            <Switch />
          </Form.Item>
        ) : null}
        <Form.Item
          name="enabled"
          label={phrase('menu-list.enabled')}
          required
          extra={phrase('menu-list.enabledHint')}
          valuePropName="checked"
        >
          <Switch />
        </Form.Item>
      </div>
    </FormDrawer>
  );
}
