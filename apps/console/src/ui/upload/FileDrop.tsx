import { type ClipboardEvent, type DragEvent, type ReactNode, useRef, useState } from 'react';
import styles from './upload.module.css';

export type FileDropProps = {
  /** For the button inside, which a form's label refers to. */
  id?: string | undefined;
  /** The button's accessible name, if its content does not suffice. */
  label?: string;
  accept?: string | undefined;
  multiple?: boolean;
  disabled?: boolean;
  /** `tile` is a square beside pictures; `zone` is wide. */
  as?: 'tile' | 'zone';
  describedBy?: string | undefined;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
};

/** A target for files: click to choose, drop or paste. */
export function FileDrop(props: FileDropProps) {
  const { id, label, accept, multiple = false, disabled = false, as = 'zone', describedBy, onFiles, children } = props;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);

  const take = (files: FileList | null | undefined) => {
    const taken = [...(files ?? [])];
    if (disabled || taken.length === 0) return;
    onFiles(multiple ? taken : taken.slice(0, 1));
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    take(event.clipboardData.files);
  };

  return (
    <>
      <button
        type="button"
        {...(id === undefined ? {} : { id })}
        {...(label === undefined ? {} : { 'aria-label': label, title: label })}
        {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
        className={`${styles.drop} ${as === 'tile' ? styles.tile : styles.zone} ${isOver ? styles.over : ''}`}
        disabled={disabled}
        onClick={() => input.current?.click()}
        onDragEnter={() => setOver(true)}
        onDragOver={(event) => {
          // Otherwise the browser opens the file.
          event.preventDefault();
          setOver(!disabled);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        onPaste={onPaste}
      >
        {children}
      </button>
      <input
        ref={input}
        type="file"
        // The component kit's forms show file inputs that are merely hidden.
        style={{ display: 'none' }}
        {...(accept === undefined ? {} : { accept })}
        multiple={multiple}
        onChange={(event) => {
          take(event.target.files);
          // The same file may be chosen again after it was removed.
          event.target.value = '';
        }}
      />
    </>
  );
}
