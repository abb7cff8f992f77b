import { InboxOutlined } from '@ant-design/icons';
import {
  type CardImport,
  cardImportColumns,
  cardImportLimits,
  checkCardImport,
  getCardImportReport,
  getCardTemplate,
  startCardImport,
} from '@voltdeck/contract/card-imports';
import { listCards } from '@voltdeck/contract/cards';
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
import styles from './cards.module.css';

type Step =
  | { kind: 'choose' }
  | { kind: 'checking'; name: string; share: number }
  | { kind: 'checked'; file: CardImport; isChanged: boolean };

type Props = { open: boolean; onClose: () => void; onDone: (text: string) => void };

const widthPx = 720;

/** Issues cards from a workbook: checked row by row first, then all at once after consent. */
export default function CardImportDialog({ open, onClose, onDone }: Props) {
  const [step, setStep] = useState<Step>({ kind: 'choose' });
  const { attempt, failure, forget } = useAttempt();
  const start = useAction(startCardImport, { changes: [listCards] });
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
        const checked = await upload(checkCardImport, file, { onProgress, signal: stop.signal, quiet: true });
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
  const begin = ({ id }: CardImport) =>
    void attempt(async () => {
      const file = await start.mutateAsync({ params: { id }, quiet: true });
      if (file.importedAt === null) {
        setStep({ kind: 'checked', file, isChanged: true });
        return;
      }
      leave();
      onDone(phrase('cardImport.done', { count: file.goodCount }));
    });

  return (
    <Modal
      title={phrase('cardImport.title')}
      open={open}
      onCancel={leave}
      width={widthPx}
      mask={{ closable: false }}
      destroyOnHidden
      footer={footer()}
    >
      {failure === null ? null : <Alert className={styles.alert ?? ''} type="error" showIcon title={failure} />}
      <div aria-live="polite">{body()}</div>
    </Modal>
  );

  function body(): ReactNode {
    switch (step.kind) {
      case 'choose':
        return (
          <>
            <p>{phrase('cardImport.intro')}</p>
            <p className={styles.quiet}>{phrase('cardImport.noMoney')}</p>
            <p>
              <Button onClick={() => void attempt(() => fetchFile(getCardTemplate, {}))}>
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
                max: megabytesText(cardImportLimits.bytesMax),
                rows: countText(cardImportLimits.rowsMax),
              })}
            </p>
          </>
        );
      case 'checking':
        return (
          <>
            <p>{phrase('import.checking', { name: step.name })}</p>
            <Progress percent={Math.round(step.share * 100)} status="active" aria-label={phrase('cardImport.title')} />
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
          <Button onClick={() => void attempt(() => fetchFile(getCardImportReport, { params: { id: file.id } }))}>
            {phrase('import.report')}
          </Button>
        )}
        <Button type="primary" disabled={file.goodCount === 0} loading={start.isPending} onClick={() => begin(file)}>
          {phrase('cardImport.start', { count: file.goodCount })}
        </Button>
      </>
    );
  }
}

function Checked({ file, isChanged }: { file: CardImport; isChanged: boolean }) {
  const { fileName: name, goodCount, badCount, ignoredColumns, faults } = file;
  return (
    <>
      <Alert
        className={styles.alert ?? ''}
        type={badCount === 0 ? 'success' : 'warning'}
        showIcon
        title={
          isChanged
            ? phrase('cardImport.changedNow', { bad: badCount })
            : phrase('import.checked', { name, good: countText(goodCount), bad: countText(badCount) })
        }
        {...(goodCount === 0 ? { description: phrase('import.nothing') } : {})}
      />
      {ignoredColumns.length === 0 ? null : (
        <p className={styles.quiet}>{phrase('import.ignored', { columns: ignoredColumns.join(', ') })}</p>
      )}
      {faults.length === 0 ? null : (
        <ScrollRegion label={phrase('import.reason')}>
          <table className={styles.figures}>
            <thead>
              <tr>
                <th scope="col">{phrase('import.line')}</th>
                <th scope="col">{phrase('cards.number')}</th>
                <th scope="col">{phrase('import.reason')}</th>
              </tr>
            </thead>
            <tbody>
              {faults.map(({ line, cardNumber, faults: found }) => (
                <tr key={line}>
                  <td>{line}</td>
                  <td className={styles.mono}>{cardNumber}</td>
                  <td>
                    {found.map((fault) => (
                      <div key={`${fault.column} ${fault.code}`}>
                        {phrase(fault.params?.value === undefined ? 'import.fault' : 'import.faultOf', {
                          column: phrase(cardImportColumns[fault.column].title),
                          value: fault.params?.value ?? '',
                          fault: phrase(
                            `field.${fault.code}`,
                            paramsInWords(cardImportColumns, fault, knownPhrase, phrase('list.comma')),
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
            <p className={styles.quiet}>{phrase('import.more', { count: badCount - faults.length })}</p>
          ) : null}
        </ScrollRegion>
      )}
    </>
  );
}
