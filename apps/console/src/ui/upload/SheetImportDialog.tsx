import { InboxOutlined } from '@ant-design/icons';
import type { FieldFaultCode } from '@voltdeck/contract/errors';
import { type ImportColumns, paramsInWords } from '@voltdeck/contract/import-faults';
import { Alert, Button, Modal, Progress } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { knownPhrase, type PhraseKey, phrase } from '../../phrases.ts';
import { countText } from '../figures.ts';
import { ScrollRegion } from '../ScrollRegion.tsx';
import { useAttempt } from '../use-attempt.ts';
import { FileDrop } from './FileDrop.tsx';
import { megabytesText } from './file-rules.ts';
import styles from './upload.module.css';

/** What the server says of a checked file. */
type CheckedFile = {
  fileName: string;
  goodCount: number;
  badCount: number;
  ignoredColumns: readonly string[];
  importedAt: string | null;
};

type Fault = { column: string; code: FieldFaultCode; params?: Record<string, string | number> | undefined };

type Props<File extends CheckedFile> = {
  title: string;
  /** Above the template: what is imported, and what not. */
  intro: ReactNode;
  limits: { bytesMax: number; rowsMax: number };
  columns: ImportColumns;
  /** The phrases with what the good rows become. */
  words: { checked: PhraseKey; changedNow: PhraseKey; start: PhraseKey };
  /** The head of the column that names a faulty row. */
  nameTitle: PhraseKey;
  faultsOf: (file: File) => readonly { line: number; name: string; faults: readonly Fault[] }[];
  /** Nothing is checked while something is missing. */
  isReady?: boolean;
  getTemplate: () => Promise<unknown>;
  check: (
    file: globalThis.File,
    options: { onProgress: (share: number) => void; signal: AbortSignal },
  ) => Promise<File>;
  getReport: (file: File) => Promise<unknown>;
  start: (file: File) => Promise<File>;
  open: boolean;
  onClose: () => void;
  onDone: (file: File) => void;
};

type Step<File> =
  | { kind: 'choose' }
  | { kind: 'checking'; name: string; share: number }
  | { kind: 'checked'; file: File; isChanged: boolean };

const widthPx = 720;

/** Makes records of a workbook: checked row by row first, then all of them at once after consent. */
export function SheetImportDialog<File extends CheckedFile>(props: Props<File>) {
  const { title, intro, limits, words, isReady = true, open, onClose, onDone } = props;
  const [step, setStep] = useState<Step<File>>({ kind: 'choose' });
  const [isStarting, setStarting] = useState(false);
  const { attempt, failure, forget } = useAttempt();
  const giveUp = useRef<AbortController | null>(null);

  const check = ([file]: readonly globalThis.File[]) =>
    void attempt(async () => {
      if (file === undefined) return;
      const stop = new AbortController();
      giveUp.current = stop;
      const { name } = file;
      const onProgress = (share: number) => setStep({ kind: 'checking', name, share });
      onProgress(0);
      try {
        const checked = await props.check(file, { onProgress, signal: stop.signal });
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
  const begin = (checked: File) =>
    void attempt(async () => {
      setStarting(true);
      try {
        const file = await props.start(checked);
        if (file.importedAt === null) {
          setStep({ kind: 'checked', file, isChanged: true });
          return;
        }
        leave();
        onDone(file);
      } finally {
        setStarting(false);
      }
    });

  return (
    <Modal
      title={title}
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
            {intro}
            <p>
              <Button onClick={() => void attempt(props.getTemplate)}>{phrase('import.downloadTemplate')}</Button>
            </p>
            {isReady ? (
              <FileDrop accept=".xlsx" onFiles={check}>
                <InboxOutlined className={styles.icon} />
                <span>
                  {phrase('import.drop')} <strong>{phrase('import.choose')}</strong>
                </span>
              </FileDrop>
            ) : null}
            <p className={styles.rule}>
              {phrase('import.rule', { max: megabytesText(limits.bytesMax), rows: countText(limits.rowsMax) })}
            </p>
          </>
        );
      case 'checking':
        return (
          <>
            <p>{phrase('import.checking', { name: step.name })}</p>
            <Progress percent={Math.round(step.share * 100)} status="active" aria-label={title} />
          </>
        );
      case 'checked':
        return <Checked {...props} file={step.file} isChanged={step.isChanged} />;
    }
  }

  function footer(): ReactNode {
    if (step.kind !== 'checked') return <Button onClick={leave}>{phrase('shell.close')}</Button>;
    const { file } = step;
    return (
      <>
        <Button onClick={() => setStep({ kind: 'choose' })}>{phrase('import.another')}</Button>
        {file.badCount === 0 ? null : (
          <Button onClick={() => void attempt(() => props.getReport(file))}>{phrase('import.report')}</Button>
        )}
        <Button type="primary" disabled={file.goodCount === 0} loading={isStarting} onClick={() => begin(file)}>
          {phrase(words.start, { count: file.goodCount })}
        </Button>
      </>
    );
  }
}

function Checked<File extends CheckedFile>({
  file,
  isChanged,
  columns,
  words,
  nameTitle,
  faultsOf,
}: Props<File> & { file: File; isChanged: boolean }) {
  const { fileName: name, goodCount, badCount, ignoredColumns } = file;
  const faults = faultsOf(file);
  const said = { name, good: countText(goodCount), bad: countText(badCount) };
  return (
    <>
      <Alert
        className={styles.alert ?? ''}
        type={badCount === 0 ? 'success' : 'warning'}
        showIcon
        title={isChanged ? phrase(words.changedNow, { bad: badCount }) : phrase(words.checked, said)}
        {...(goodCount === 0 ? { description: phrase('import.nothing') } : {})}
      />
      {ignoredColumns.length === 0 ? null : (
        <p className={styles.rule}>{phrase('import.ignored', { columns: ignoredColumns.join(', ') })}</p>
      )}
      {faults.length === 0 ? null : (
        <ScrollRegion label={phrase('import.reason')}>
          <table className={styles.faults}>
            <thead>
              <tr>
                <th scope="col">{phrase('import.line')}</th>
                <th scope="col">{phrase(nameTitle)}</th>
                <th scope="col">{phrase('import.reason')}</th>
              </tr>
            </thead>
            <tbody>
              {faults.map(({ line, name: named, faults: found }) => (
                <tr key={line}>
                  <td>{line}</td>
                  <td>{named}</td>
                  <td>
                    {found.map((fault) => (
                      <div key={`${fault.column} ${fault.code}`}>{faultText(fault, columns)}</div>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {badCount > faults.length ? (
            <p className={styles.rule}>{phrase('import.more', { count: badCount - faults.length })}</p>
          ) : null}
        </ScrollRegion>
      )}
    </>
  );
}

function faultText(fault: Fault, columns: ImportColumns): string {
  const { title = fault.column } = columns[fault.column] ?? {};
  return phrase(fault.params?.value === undefined ? 'import.fault' : 'import.faultOf', {
    column: knownPhrase(title) ?? title,
    value: fault.params?.value ?? '',
    fault: phrase(`field.${fault.code}`, paramsInWords(columns, fault, knownPhrase, phrase('list.comma'))),
  });
}
