import { EllipsisOutlined } from '@ant-design/icons';
import { Dropdown } from 'antd';
import { useLayoutEffect, useRef, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { DisabledReason } from '../DisabledReason.tsx';
import type { RowAction } from './list-view.ts';
import { inlineActionsMax } from './table-layout.ts';

/**
 * Shows two actions, the rest in a menu. Disabled ones say why. Plain buttons: a hundred rows of the kit's buttons
 * would render whenever their page is shown again.
 */
export function RowActions({ actions, rowName }: { actions: readonly RowAction[]; rowName: string }) {
  return (
    <span className="row-actions">
      {actions.slice(0, inlineActionsMax).map((action) =>
        action.because === undefined ? (
          <button
            key={action.key}
            type="button"
            className="row-action"
            data-danger={action.danger ?? false}
            onClick={action.onClick}
          >
            {action.label}
          </button>
        ) : (
          <DisabledReason key={action.key} type="link" size="small" because={action.because}>
            {action.label}
          </DisabledReason>
        ),
      )}
      {actions.length <= inlineActionsMax ? null : (
        <MoreActions actions={actions.slice(inlineActionsMax)} label={`${phrase('list.moreActions')} ${rowName}`} />
      )}
    </span>
  );
}

/** The menu is created on first use. */
function MoreActions({ actions, label }: { actions: readonly RowAction[]; label: string }) {
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const pressed = useRef<HTMLButtonElement>(null);
  const isMade = isOpen !== null;
  const hasMoved = useRef(false);
  // Creating the menu replaces the pressed button, so focus the new one; once, not whenever the page is shown again.
  useLayoutEffect(() => {
    if (!isMade || hasMoved.current) return;
    hasMoved.current = true;
    pressed.current?.focus();
  }, [isMade]);
  const button = (
    <button
      ref={pressed}
      type="button"
      className="row-action"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={isOpen ?? false}
      onClick={isMade ? undefined : () => setOpen(true)}
    >
      <EllipsisOutlined />
    </button>
  );
  if (!isMade) return button;
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) pressed.current?.focus();
      }}
      menu={{
        items: actions.map((action) => ({
          key: action.key,
          label:
            action.because === undefined ? (
              action.label
            ) : (
              <span>
                {action.label}
                <small className="menu-reason">{action.because}</small>
              </span>
            ),
          danger: action.danger ?? false,
          disabled: action.because !== undefined,
          onClick: action.onClick,
        })),
      }}
    >
      {button}
    </Dropdown>
  );
}
