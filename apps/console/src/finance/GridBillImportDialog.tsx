import { InboxOutlined } from '@ant-design/icons';
import {
  checkGridBillImport,
  type GridBillImport,
  getGridBillImportReport,
  getGridBillTemplate,
  gridBillImportColumns,
  gridBillImportLimits,
  startGridBillImport,
} from '@voltdeck/contract/grid-bill-imports';
import { listGridBills } from '@voltdeck/contract/grid-bills';
import { paramsInWords } from '@voltdeck/contract/import-faults';
import { Alert, Button, Modal, Progress } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { useAction } from '../api/queries.ts';
import { upload } from '../api/upload.ts';
import { knownPhrase, phrase } from '../phrases.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { countText } from '../ui/figures.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { FileDrop } from '../ui/upload/FileDrop.tsx';
import { megabytesText } from '../ui/upload/file-rules.ts';
import uploadStyles from '../ui/upload/upload.module.css';
import { useAttempt } from '../ui/use-attempt.ts';
import styles from './finance.module.css';

type Step =
  | { kind: 'choose' }
  | { kind: 'checking'; name: string; share: number }
  | { kind: 'checked'; file: GridBillImport; isChanged: boolean };

type Props = { open: boolean; onClose: () => void; onDone: (text: string) => void };

const widthPx = 720;

/** Enters bills from a workbook: checked row by row first, then all at once after consent. */
export default function GridBillImportDialog({ open, onClose, onDone }: Props) {
  const [step, setStep] = useState<Step>({ kind: 'choose' });
  const { attempt, failure, forget } = useAttempt();
  const start = useAction(startGridBillImport, { changes: [listGridBills] });
  const giveUp = useRef<AbortController | null>(null);

  const check = ([file]: readonly File[]) =>
    void attempt(async () => {
      if (file === undefined) return;
      const stop = new AbortController();
      giveUp.current = stop;
      const { name } = file;
      const onProgress = (share: number) => setStep({ kind: 'checking', name, share });
      onProgress(0);
      try {
        const checked = await upload(checkGridBillImport, file, { onProgress, signal: stop.signal, quiet: true });
        setStep({ kind: 'checked', file: checked, isChanged: false });
      } catch (error) {
        setStep({ kind: 'choose' });
        if (!stop.signal.aborted) throw error;
      }
    });
  const leave = () => {
    giveUp.current?.abort();
    onClose();
    forget();
    setStep({ kind: 'choose' });
  };
  const begin = ({ id }: GridBillImport) =>
    void attempt(async () => {
      const file = await start.mutateAsync({ params: { id }, quiet: true });
      if (file.importedAt === null) {
        setStep({ kind: 'checked', file, isChanged: true });
        return;
      }
      leave();
      onDone(phrase('gridBillImport.done', { count: file.goodCount }));
    });

  return (
    <Modal
      title={phrase('gridBillImport.title')}
      open={open}
      onCancel={leave}
      width={widthPx}
      mask={{ closable: false }}
      destroyOnHidden
      footer={footer()}
    >
      {failure === null ? null : <Alert type="error" showIcon title={failure} />}
      <div aria-live="polite">{body()}</div>
    </Modal>
  );

  function body(): ReactNode {
    switch (step.kind) {
      case 'choose':
        return (
          <>
            <p>{phrase('gridBillImport.intro')}</p>
            <p>
              <Button onClick={() => void attempt(() => fetchFile(getGridBillTemplate, {}))}>
                {phrase('import.downloadTemplate')}
              </Button>
            </p>
            <FileDrop accept=".xlsx" onFiles={check}>
              <InboxOutlined className={uploadStyles.icon} />
              <span>
                {phrase('import.drop')} <strong>{phrase('import.choose')}</strong>
              </span>
            </FileDrop>
            <p className={uploadStyles.rule}>
              {phrase('import.rule', {
                max: megabytesText(gridBillImportLimits.bytesMax),
                rows: countText(gridBillImportLimits.rowsMax),
              })}
            </p>
          </>
        );
      case 'checking':
        return (
          <>
            <p>{phrase('import.checking', { name: step.name })}</p>
            <Progress
              percent={Math.round(step.share * 100)}
              status="active"
              aria-label={phrase('gridBillImport.title')}
            />
          </>
        );
      case 'checked':
        return <Checked file={step.file} isChanged={step.isChanged} />;
    }
  }

  function footer(): ReactNode {
    if (step.kind !== 'checked') return <Button onClick={leave}>{phrase('shell.close')}</Button>;
    const { file } = step;
    return (
      <>
        <Button onClick={() => setStep({ kind: 'choose' })}>{phrase('import.another')}</Button>
        {file.badCount === 0 ? null : (
          <Button onClick={() => void attempt(() => fetchFile(getGridBillImportReport, { params: { id: file.id } }))}>
            {phrase('import.report')}
          </Button>
        )}
        <Button type="primary" disabled={file.goodCount === 0} loading={start.isPending} onClick={() => begin(file)}>
          {phrase('gridBillImport.start', { count: file.goodCount })}
        </Button>
      </>
    );
  }
}

function Checked({ file, isChanged }: { file: GridBillImport; isChanged: boolean }) {
  const { fileName: name, goodCount, badCount, ignoredColumns, faults } = file;
  return (
    <>
      <Alert
        className={styles.alert ?? ''}
        type={badCount === 0 ? 'success' : 'warning'}
        showIcon
        title={
          isChanged
            ? phrase('gridBillImport.changedNow', { bad: badCount })
            : phrase('gridBillImport.checked', { name, good: countText(goodCount), bad: countText(badCount) })
        }
        {...(goodCount === 0 ? { description: phrase('import.nothing') } : {})}
      />
      {ignoredColumns.length === 0 ? null : (
        <p className={styles.note}>{phrase('import.ignored', { columns: ignoredColumns.join(', ') })}</p>
      )}
      {faults.length === 0 ? null : (
        <ScrollRegion label={phrase('import.reason')}>
          <table className={styles.faults}>
            <thead>
              <tr>
                <th scope="col">{phrase('import.line')}</th>
                <th scope="col">{phrase('gridBillImport.siteName')}</th>
                <th scope="col">{phrase('import.reason')}</th>
              </tr>
            </thead>
            <tbody>
              {faults.map(({ line, siteName, faults: found }) => (
                <tr key={line}>
                  <td>{line}</td>
                  <td>{siteName}</td>
                  <td>
                    {found.map((fault) => (
                      <div key={`${fault.column} ${fault.code}`}>
                        {phrase(fault.params?.value === undefined ? 'import.fault' : 'import.faultOf', {
                          column: phrase(gridBillImportColumns[fault.column].title),
                          value: fault.params?.value ?? '',
                          fault: phrase(
                            `field.${fault.code}`,
                            paramsInWords(gridBillImportColumns, fault, knownPhrase, phrase('list.comma')),
                          ),
                        })}
                      </div>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {badCount > faults.length ? (
            <p className={styles.note}>{phrase('import.more', { count: badCount - faults.length })}</p>
          ) : null}
        </ScrollRegion>
      )}
    </>
  );
}
