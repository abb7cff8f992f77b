import { EditOutlined, LinkOutlined, PictureOutlined } from '@ant-design/icons';
import { type Editor, useEditorState } from '@tiptap/react';
import { Fragment, type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import { phrase } from '../../phrases.ts';
import styles from './editor.module.css';
import { editorTools } from './editor-tools.tsx';

type Button = {
  key: string;
  name: string;
  icon: ReactNode;
  shortcut?: string | undefined;
  isOn?: boolean | undefined;
  isOff?: boolean;
  onClick: () => void;
};

export type EditorToolbarProps = {
  editor: Editor;
  toolbar: RefObject<HTMLDivElement | null>;
  disabled: boolean;
  askLink: () => void;
  askPicture: () => void;
  askDescription: () => void;
};

/** One tab stop; arrow keys move inside, Escape returns to the text. */
export function EditorToolbar(props: EditorToolbarProps) {
  const { editor, toolbar, disabled, askLink, askPicture, askDescription } = props;
  const [current, setCurrent] = useState(0);
  const tools = editorTools();
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      on: Object.fromEntries(tools.flat().map((tool) => [tool.key, tool.isOn?.(now)])),
      off: Object.fromEntries(tools.flat().map((tool) => [tool.key, tool.isOff?.(now) ?? false])),
      isLink: now.isActive('link'),
      isPicture: now.isActive('image'),
    }),
  });

  const groups: Button[][] = tools.map((group) =>
    group.map(({ key, name, icon, shortcut, run }) => ({
      key,
      name,
      icon,
      shortcut,
      isOn: state.on[key],
      isOff: state.off[key] ?? false,
      onClick: () => run(editor.chain().focus()).run(),
    })),
  );
  groups.splice(-1, 0, [
    {
      key: 'link',
      name: phrase('content.insertLink'),
      icon: <LinkOutlined />,
      shortcut: 'Control+K',
      isOn: state.isLink,
      onClick: askLink,
    },
    { key: 'picture', name: phrase('content.insertPicture'), icon: <PictureOutlined />, onClick: askPicture },
    {
      key: 'description',
      name: phrase('content.describePicture'),
      icon: <EditOutlined />,
      isOff: !state.isPicture,
      onClick: askDescription,
    },
  ]);
  const keys = groups.flat().map(({ key }) => key);

  const onKey = (event: KeyboardEvent) => {
    const last = keys.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: current === last ? 0 : current + 1,
      ArrowLeft: current === 0 ? last : current - 1,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setCurrent(next);
      toolbar.current?.querySelectorAll('button')[next]?.focus();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      editor.commands.focus();
    }
  };

  return (
    <div
      ref={toolbar}
      role="toolbar"
      aria-label={phrase('content.editorTools')}
      className={styles.toolbar}
      onKeyDown={onKey}
    >
      {groups.map((group, index) => (
        <Fragment key={group[0]?.key}>
          {index === 0 ? null : <span className={styles.gap} />}
          {group.map((button) => {
            const isOff = disabled || (button.isOff ?? false);
            return (
              <button
                key={button.key}
                type="button"
                className={styles.tool}
                tabIndex={keys[current] === button.key ? 0 : -1}
                aria-label={button.name}
                title={button.name}
                {...(button.shortcut === undefined ? {} : { 'aria-keyshortcuts': button.shortcut })}
                {...(button.isOn === undefined ? {} : { 'aria-pressed': button.isOn })}
                {...(isOff ? { 'aria-disabled': true } : {})}
                // Keeps the selection in the text.
                onMouseDown={(event) => event.preventDefault()}
                onFocus={() => setCurrent(keys.indexOf(button.key))}
                onClick={() => {
                  if (!isOff) button.onClick();
                }}
              >
                {button.icon}
              </button>
            );
          })}
        </Fragment>
      ))}
    </div>
  );
}
