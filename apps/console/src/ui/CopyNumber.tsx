import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { type ReactNode, useEffect, useState } from 'react';
import { phrase } from '../phrases.ts';
import styles from './copy-number.module.css';
import { copyText } from './copy-text.ts';
import { isMasked } from './is-masked.ts';

const shownMs = 1_500;

/** A long number in monospace with a copy button on hover and focus; `children` may be a link. */
export function CopyNumber({ value, children }: { value: string; children?: ReactNode }) {
  // A masked number is useless to copy.
  if (isMasked(value)) return <span className={styles.text}>{children ?? value}</span>;
  return <Copied value={value}>{children}</Copied>;
}

function Copied({ value, children }: { value: string; children?: ReactNode }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const label = copied === null ? phrase('shell.copy') : phrase(copied ? 'shell.copied' : 'shell.copyFailed');
  return (
    <span className={styles.number}>
      <span className={styles.text}>{children ?? value}</span>
      <button
        type="button"
        className={styles.button}
        aria-label={`${label} ${value}`}
        title={label}
        onClick={async (event) => {
          event.stopPropagation();
          setCopied(await copyText(value));
        }}
      >
        {copied ? <CheckOutlined /> : <CopyOutlined />}
      </button>
    </span>
  );
}
