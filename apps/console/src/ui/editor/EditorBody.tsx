import Image from '@tiptap/extension-image';
import { type Editor, EditorContent, useEditor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { App, ConfigProvider } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { isLink } from '../link-address.ts';
import { acceptOf } from '../upload/file-rules.ts';
import { DescriptionDialog } from './DescriptionDialog.tsx';
import { EditorToolbar } from './EditorToolbar.tsx';
import styles from './editor.module.css';
import { LinkDialog } from './LinkDialog.tsx';
import { takePictures } from './pasted-html.ts';
import { PicturePlaces } from './picture-places.ts';
import { TextAlign } from './text-align.ts';
import { usePictureUploads } from './use-picture-uploads.tsx';

const toastSeconds = 5;

const extensions = [
  StarterKit.configure({
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => isLink(address),
      HTMLAttributes: { target: '_blank', rel: 'noopener noreferrer nofollow' },
    },
  }),
  Image,
  TextAlign,
  PicturePlaces,
];

const picturesOf = (files: FileList | undefined) => [...(files ?? [])].filter(({ type }) => type.startsWith('image/'));

export type EditorBodyProps = {
  /** Set by the form. */
  id?: string;
  /** HTML; empty if there is no text. */
  value?: string | undefined;
  onChange?: (html: string) => void;
  /** Tells the form to wait for running uploads. */
  onBusy?: (isBusy: boolean) => void;
};

/** The editor itself, loaded on demand by RichTextEditor. */
export default function EditorBody({ id, value = '', onChange, onBusy }: EditorBodyProps) {
  const { message } = App.useApp();
  const { componentDisabled = false } = ConfigProvider.useConfig();
  const [asking, setAsking] = useState<'link' | 'description' | null>(null);
  const toolbar = useRef<HTMLDivElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  /** The last value that this editor emitted: any other value comes from outside and replaces the text. */
  const said = useRef(value);
  const uploads = usePictureUploads();

  const insert = (files: readonly File[], position: number) => {
    if (editor !== null) uploads.insert(editor, files, position);
  };

  // Null for a moment when a hidden page comes back: its editor was destroyed and is being created again.
  const editor: Editor | null = useEditor({
    extensions,
    content: value,
    editable: !componentDisabled,
    shouldRerenderOnTransaction: false,
    onUpdate: ({ editor: now }) => {
      const html = now.isEmpty ? '' : now.getHTML();
      if (html === said.current) return;
      said.current = html;
      onChange?.(html);
    },
    editorProps: {
      attributes: {
        class: styles.text ?? '',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': phrase('content.editor'),
        ...(id === undefined ? {} : { id }),
      },
      handlePaste: (view, event) => {
        const files = picturesOf(event.clipboardData?.files);
        // Office programs add a picture of the text beside the text; take the text.
        if (files.length === 0 || event.clipboardData?.types.includes('text/html')) return false;
        insert(files, view.state.selection.from);
        return true;
      },
      handleDrop: (view, event) => {
        const files = picturesOf(event.dataTransfer?.files);
        if (files.length === 0) return false;
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
        insert(files, place?.pos ?? view.state.selection.from);
        return true;
      },
      transformPastedHTML: (html, view) => {
        const taken = takePictures(html);
        if (taken.foreignCount > 0) {
          message.warning(phrase('content.foreignPictures', { count: taken.foreignCount }), toastSeconds);
        }
        if (taken.pictures.length > 0) {
          // The text must be in place before its pictures can be inserted after it.
          queueMicrotask(() => insert(taken.pictures, view.state.selection.to));
        }
        return taken.html;
      },
      handleKeyDown: (_, event) => {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
          // The shell uses the same keys for its search.
          event.preventDefault();
          event.stopPropagation();
          setAsking('link');
          return true;
        }
        if (event.altKey && event.key === 'F10') {
          toolbar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
          return true;
        }
        return false;
      },
    },
  });

  const holder = useRef(editor);
  useEffect(() => {
    if (editor === null || (holder.current === editor && value === said.current)) return;
    holder.current = editor;
    said.current = value;
    editor.commands.setContent(value, { emitUpdate: false });
  }, [value, editor]);
  useEffect(() => {
    editor?.setEditable(!componentDisabled, false);
  }, [componentDisabled, editor]);
  const { isBusy } = uploads;
  const tellBusy = useRef(onBusy);
  useEffect(() => {
    tellBusy.current = onBusy;
  }, [onBusy]);
  useEffect(() => tellBusy.current?.(isBusy), [isBusy]);

  if (editor === null) return <div className={styles.waiting} aria-busy="true" />;
  const isEmpty = value === '';
  return (
    <div className={`${styles.editor} ${componentDisabled ? styles.disabled : ''}`}>
      <EditorToolbar
        editor={editor}
        toolbar={toolbar}
        disabled={componentDisabled}
        askLink={() => setAsking('link')}
        askPicture={() => chooser.current?.click()}
        askDescription={() => setAsking('description')}
      />
      <div className={styles.paper} {...(isEmpty ? { 'data-placeholder': phrase('content.editorPlaceholder') } : {})}>
        <EditorContent editor={editor} />
      </div>
      <input
        ref={chooser}
        type="file"
        // The component kit's forms show file inputs that are merely hidden.
        style={{ display: 'none' }}
        multiple
        accept={acceptOf('editor')}
        onChange={(event) => {
          insert([...(event.target.files ?? [])], editor.state.selection.from);
          event.target.value = '';
        }}
      />
      {asking === 'link' ? <LinkDialog editor={editor} onClose={() => setAsking(null)} /> : null}
      {asking === 'description' ? <DescriptionDialog editor={editor} onClose={() => setAsking(null)} /> : null}
    </div>
  );
}
