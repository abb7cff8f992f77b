import { ArrowDownOutlined, ArrowUpOutlined, PushpinFilled, PushpinOutlined, SettingOutlined } from '@ant-design/icons';
import type { ColumnChoice } from '@voltdeck/contract/views';
import { Button, Checkbox, Popover, Tooltip } from 'antd';
import { useRef, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { useOfferedActs } from '../offered-acts.ts';
import styles from './column-settings.module.css';
import { arrangeColumns, moveColumn } from './list-columns.ts';
import type { ListColumn, ListRoute } from './list-view.ts';

type Props<R extends ListRoute> = {
  columns: readonly ListColumn<R>[];
  choice: ColumnChoice;
  /** Null restores the list's default. */
  onChange: (choice: ColumnChoice | null) => void;
};

export function ColumnSettings<R extends ListRoute>(props: Props<R>) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useOfferedActs([{ key: 'list.columns', label: phrase('list.columns'), onClick: () => setOpen(true) }]);
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      content={
        <div
          role="dialog"
          aria-label={phrase('list.columns')}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            setOpen(false);
            button.current?.focus();
          }}
        >
          <ColumnList {...props} />
        </div>
      }
    >
      <Tooltip title={open ? '' : phrase('list.columns')}>
        <Button
          ref={button}
          type="text"
          aria-label={phrase('list.columns')}
          aria-expanded={open}
          icon={<SettingOutlined />}
        />
      </Tooltip>
    </Popover>
  );
}

/** Which columns are shown, in which order, and which are pinned. */
function ColumnList<R extends ListRoute>({ columns, choice, onChange }: Props<R>) {
  const arranged = arrangeColumns(columns, choice);
  return (
    <div className={styles.panel}>
      <ul className={styles.list}>
        {arranged.map(({ column, isShown, isPinned, isFirst }, index) => {
          const { key, title } = column;
          const isFirstOfKind = index === 1 || arranged[index - 1]?.isPinned !== isPinned;
          const isLastOfKind = index === arranged.length - 1 || arranged[index + 1]?.isPinned !== isPinned;
          const pinLabel = phrase(isPinned ? 'list.columnUnpin' : 'list.columnPin', { title });
          return (
            <li key={key} className={styles.row}>
              <Checkbox
                checked={isShown}
                disabled={isFirst}
                aria-label={phrase('list.columnShow', { title })}
                onChange={(event) => onChange({ ...choice, shown: { ...choice.shown, [key]: event.target.checked } })}
              >
                {column.group === undefined ? title : `${column.group} · ${title}`}
              </Checkbox>
              {isFirst ? null : (
                <span className={styles.buttons}>
                  <Button
                    size="small"
                    type="text"
                    icon={isPinned ? <PushpinFilled /> : <PushpinOutlined />}
                    aria-label={pinLabel}
                    aria-pressed={isPinned}
                    title={pinLabel}
                    onClick={() => onChange({ ...choice, pinned: { ...choice.pinned, [key]: !isPinned } })}
                  />
                  <Button
                    size="small"
                    type="text"
                    icon={<ArrowUpOutlined />}
                    aria-label={phrase('list.columnUp', { title })}
                    disabled={isFirstOfKind}
                    onClick={() => onChange(moveColumn(columns, choice, key, -1))}
                  />
                  <Button
                    size="small"
                    type="text"
                    icon={<ArrowDownOutlined />}
                    aria-label={phrase('list.columnDown', { title })}
                    disabled={isLastOfKind}
                    onClick={() => onChange(moveColumn(columns, choice, key, 1))}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <Button type="link" onClick={() => onChange(null)}>
        {phrase('list.columnsReset')}
      </Button>
    </div>
  );
}
