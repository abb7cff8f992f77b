import {
  AlignCenterOutlined,
  AlignLeftOutlined,
  AlignRightOutlined,
  BoldOutlined,
  ItalicOutlined,
  OrderedListOutlined,
  RedoOutlined,
  StrikethroughOutlined,
  UnderlineOutlined,
  UndoOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons';
import type { ChainedCommands, Editor } from '@tiptap/react';
import type { ReactNode } from 'react';
import { phrase } from '../../phrases.ts';
import styles from './editor.module.css';

export type EditorTool = {
  key: string;
  name: string;
  icon: ReactNode;
  /** In the format of aria-keyshortcuts. */
  shortcut?: string;
  run: (chain: ChainedCommands) => ChainedCommands;
  isOn?: (editor: Editor) => boolean;
  isOff?: (editor: Editor) => boolean;
};

const quoteIcon = (
  <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" fill="currentColor">
    <path d="M1 3h5v4.2C6 9.4 4.8 10.9 2.6 11.4l-.5-1.1c1.2-.4 1.9-1.2 2-2.3H1zM8 3h5v4.2c0 2.2-1.2 3.7-3.4 4.2l-.5-1.1c1.2-.4 1.9-1.2 2-2.3H8z" />
  </svg>
);

const heading = (level: 1 | 2 | 3): EditorTool => ({
  key: `heading${level}`,
  name: phrase(`content.heading${level}`),
  // Drawn rather than text: the button's name says it already.
  icon: <b className={styles.headingMark} data-mark={`H${level}`} />,
  shortcut: `Control+Alt+${level}`,
  run: (chain) => chain.toggleHeading({ level }),
  isOn: (editor) => editor.isActive('heading', { level }),
});

/** The toolbar's buttons in groups, apart from links and pictures, which open dialogs. */
export function editorTools(): readonly (readonly EditorTool[])[] {
  return [
    [heading(1), heading(2), heading(3)],
    [
      {
        key: 'bold',
        name: phrase('content.bold'),
        icon: <BoldOutlined />,
        shortcut: 'Control+B',
        run: (chain) => chain.toggleBold(),
        isOn: (editor) => editor.isActive('bold'),
      },
      {
        key: 'italic',
        name: phrase('content.italic'),
        icon: <ItalicOutlined />,
        shortcut: 'Control+I',
        run: (chain) => chain.toggleItalic(),
        isOn: (editor) => editor.isActive('italic'),
      },
      {
        key: 'underline',
        name: phrase('content.underline'),
        icon: <UnderlineOutlined />,
        shortcut: 'Control+U',
        run: (chain) => chain.toggleUnderline(),
        isOn: (editor) => editor.isActive('underline'),
      },
      {
        key: 'strike',
        name: phrase('content.strike'),
        icon: <StrikethroughOutlined />,
        shortcut: 'Control+Shift+S',
        run: (chain) => chain.toggleStrike(),
        isOn: (editor) => editor.isActive('strike'),
      },
    ],
    [
      {
        key: 'bulletList',
        name: phrase('content.bulletList'),
        icon: <UnorderedListOutlined />,
        shortcut: 'Control+Shift+8',
        run: (chain) => chain.toggleBulletList(),
        isOn: (editor) => editor.isActive('bulletList'),
      },
      {
        key: 'orderedList',
        name: phrase('content.orderedList'),
        icon: <OrderedListOutlined />,
        shortcut: 'Control+Shift+7',
        run: (chain) => chain.toggleOrderedList(),
        isOn: (editor) => editor.isActive('orderedList'),
      },
      {
        key: 'quote',
        name: phrase('content.quote'),
        icon: quoteIcon,
        shortcut: 'Control+Shift+B',
        run: (chain) => chain.toggleBlockquote(),
        isOn: (editor) => editor.isActive('blockquote'),
      },
    ],
    [
      {
        key: 'alignLeft',
        name: phrase('content.alignLeft'),
        icon: <AlignLeftOutlined />,
        run: (chain) => chain.align('left'),
        isOn: (editor) => !editor.isActive({ align: 'center' }) && !editor.isActive({ align: 'right' }),
      },
      {
        key: 'alignCenter',
        name: phrase('content.alignCenter'),
        icon: <AlignCenterOutlined />,
        run: (chain) => chain.align('center'),
        isOn: (editor) => editor.isActive({ align: 'center' }),
      },
      {
        key: 'alignRight',
        name: phrase('content.alignRight'),
        icon: <AlignRightOutlined />,
        run: (chain) => chain.align('right'),
        isOn: (editor) => editor.isActive({ align: 'right' }),
      },
    ],
    [
      {
        key: 'undo',
        name: phrase('content.undo'),
        icon: <UndoOutlined />,
        shortcut: 'Control+Z',
        run: (chain) => chain.undo(),
        isOff: (editor) => !editor.can().undo(),
      },
      {
        key: 'redo',
        name: phrase('content.redo'),
        icon: <RedoOutlined />,
        shortcut: 'Control+Shift+Z',
        run: (chain) => chain.redo(),
        isOff: (editor) => !editor.can().redo(),
      },
    ],
  ];
}
