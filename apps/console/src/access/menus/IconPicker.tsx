import type { Menu } from '@voltdeck/contract/menus';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { menuIcon, menuIcons } from '../../ui/menu-icons.tsx';
import styles from './menus.module.css';

type Props = {
  /** Given by the form. */
  id?: string;
  value?: string;
  onChange?: (icon: string | undefined) => void;
  /** Icons can be searched by the names of the menus that use them, in both languages. */
  menus: readonly Menu[];
};

/** An icon of the console's set or a link to an image: typed, or chosen from a grid that narrows while typing. */
export function IconPicker({ id, value, onChange, menus }: Props) {
  const [isOpen, setOpen] = useState(false);
  const sheetId = useId();
  const wanted = (value ?? '').trim().toLowerCase();
  const isExact = wanted in menuIcons;
  const names = Object.keys(menuIcons).filter(
    (name) => wanted === '' || isExact || wordsOf(name, menus).includes(wanted) || /^https?:/.test(wanted),
  );
  return (
    <div>
      <div className={styles.iconRow}>
        <span className={styles.iconShown}>{menuIcon(value?.trim() || null)}</span>
        <Input
          {...(id === undefined ? {} : { id })}
          value={value ?? ''}
          maxLength={500}
          allowClear
          autoComplete="off"
          onFocus={() => setOpen(true)}
          onChange={(event) => onChange?.(event.target.value || undefined)}
        />
        <Button aria-expanded={isOpen} aria-controls={sheetId} onClick={() => setOpen(!isOpen)}>
          {phrase(isOpen ? 'menu-list.iconsHide' : 'menu-list.iconsShow')}
        </Button>
      </div>
      <fieldset id={sheetId} className={styles.icons} aria-label={phrase('menu-list.icon')} hidden={!isOpen}>
        {isOpen
          ? names.map((name) => (
              <button
                key={name}
                type="button"
                className={styles.icon}
                aria-pressed={value === name}
                aria-label={name}
                title={name}
                onClick={() => onChange?.(name)}
              >
                {menuIcons[name]}
              </button>
            ))
          : null}
        {isOpen && names.length === 0 ? <span className={styles.quiet}>{phrase('list.nothingFound')}</span> : null}
      </fieldset>
    </div>
  );
}

function wordsOf(name: string, menus: readonly Menu[]): string {
  const users = menus.filter(({ icon }) => icon === name).flatMap(({ nameZh, nameEn }) => [nameZh, nameEn]);
  return [name, ...users].join(' ').toLowerCase();
}
