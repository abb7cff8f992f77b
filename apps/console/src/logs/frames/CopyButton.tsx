import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { secondMs } from '@voltdeck/units/instant';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { copyText } from '../../ui/copy-text.ts';

const shownMs = 2 * secondMs;

/** Copies a text and reports whether that worked. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      size="small"
      icon={copied ? <CheckOutlined /> : <CopyOutlined />}
      onClick={async () => setCopied(await copyText(text()))}
    >
      {copied === null ? label : phrase(copied ? 'shell.copied' : 'shell.copyFailed')}
    </Button>
  );
}
