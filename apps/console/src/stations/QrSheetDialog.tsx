import { PrinterOutlined } from '@ant-design/icons';
import { type Connector, listConnectors } from '@voltdeck/contract/stations';
import { Alert, Button, Modal, Select, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { failureText } from '../ui/failure-text.ts';
import { countText } from '../ui/figures.ts';
import { type LabelFormat, labelFormats, labelPlace, pagesOf } from './label-formats.ts';
import { QrLabel } from './QrLabel.tsx';
import styles from './qr-sheet.module.css';
import page from './stations.module.css';

/** Codes per sheet. */
const sheetPortsMax = 1_000;
const pageSize = 100;
const formats = Object.keys(labelFormats) as LabelFormat[];

type Props = {
  /** The chosen ports; null for all that the filter matches. */
  ports: readonly Connector[] | null;
  filter?: Readonly<Record<string, string>>;
  open: boolean;
  onClose: () => void;
};

/**
 * Labels with the QR codes of many gun ports, printed or saved as PDF by the browser: its codes are vectors, and it has
 * the fonts for every name.
 */
export default function QrSheetDialog({ ports, filter, open, onClose }: Props) {
  const [format, setFormat] = useState<LabelFormat>('a4-3x8');
  const [found, setFound] = useState<readonly Connector[] | null>(ports);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPrinting, setPrinting] = useState(false);
  const [hasMore, setMore] = useState(false);
  useEffect(() => {
    if (!open || ports !== null) return;
    const asking = new AbortController();
    setFound(null);
    setFailure(null);
    portsOf(filter ?? {}, asking.signal).then(
      (all) => {
        setFound(all.slice(0, sheetPortsMax));
        setMore(all.length > sheetPortsMax);
      },
      (error: unknown) => {
        if (!asking.signal.aborted) setFailure(failureText(error).text);
      },
    );
    return () => asking.abort();
  }, [open, ports, filter]);
  const shown = ports ?? found;
  const { page: paper, margin } = labelFormats[format];
  const place = labelPlace(format, shown?.length ?? 0);

  useEffect(() => {
    if (!isPrinting) return;
    document.body.dataset.printing = 'labels';
    const ended = () => setPrinting(false);
    window.addEventListener('afterprint', ended, { once: true });
    window.print();
    return () => {
      window.removeEventListener('afterprint', ended);
      delete document.body.dataset.printing;
    };
  }, [isPrinting]);

  const pageStyle = {
    width: `${paper.width}mm`,
    height: `${paper.height}mm`,
    padding: `${margin.y}mm ${margin.x}mm`,
    boxSizing: 'border-box',
  } as const;
  return (
    <>
      <Modal
        title={phrase('stations.qrSheet')}
        open={open}
        onCancel={onClose}
        width={640}
        destroyOnHidden
        footer={
          <>
            <Button onClick={onClose}>{phrase('shell.close')}</Button>
            <Button
              type="primary"
              icon={<PrinterOutlined />}
              disabled={shown === null || shown.length === 0}
              loading={isPrinting}
              onClick={() => setPrinting(true)}
            >
              {phrase('stations.qrPrint')}
            </Button>
          </>
        }
      >
        <p className={page.formIntro}>{phrase('stations.qrSheetIntro')}</p>
        <p>
          <Select<LabelFormat>
            aria-label={phrase('stations.qrFormat')}
            value={format}
            onChange={setFormat}
            style={{ width: 280 }}
            options={formats.map((value) => ({ value, label: phrase(`stations.qrFormat.${value}`) }))}
          />{' '}
          {shown === null ? null : (
            <span className={page.quiet}>
              {phrase('stations.qrSheetCount', { count: countText(shown.length), pages: countText(place.pageCount) })}
            </span>
          )}
        </p>
        {failure === null ? null : <Alert type="error" showIcon title={failure} />}
        {hasMore ? (
          <Alert type="warning" showIcon title={phrase('stations.qrSheetMore', { max: countText(sheetPortsMax) })} />
        ) : null}
        {shown === null ? (
          failure === null ? (
            <Skeleton active />
          ) : null
        ) : (
          <div className={styles.preview}>
            {shown[0] === undefined ? phrase('stations.noPorts') : <QrLabel port={shown[0]} place={place} />}
          </div>
        )}
      </Modal>
      {isPrinting && shown !== null
        ? createPortal(
            <div className={styles.printed} data-printed="labels">
              <style>{`@page { size: ${paper.width}mm ${paper.height}mm; margin: 0; }`}</style>
              {pagesOf(format, shown).map((labels) => (
                <div key={labels[0]?.id} className={styles.page} style={pageStyle}>
                  {labels.map((port) => (
                    <QrLabel key={port.id} port={port} place={place} />
                  ))}
                </div>
              ))}
            </div>,
            document.body,
          )
        : null}
    </>
  );
}

/** One more than fit at most, so that it is known whether there are more. */
async function portsOf(filter: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Connector[]> {
  const all: Connector[] = [];
  for (let next = 1; all.length <= sheetPortsMax; next += 1) {
    const query = { ...filter, page: next, pageSize, total: 'none' };
    const { items } = await call(listConnectors, { query: query as never, signal, quiet: true });
    all.push(...items);
    if (items.length < pageSize) break;
  }
  return all;
}
