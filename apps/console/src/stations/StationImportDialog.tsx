import { InboxOutlined } from '@ant-design/icons';
import { listConnectors } from '@voltdeck/contract/connectors';
import { paramsInWords } from '@voltdeck/contract/import-faults';
import {
  checkStationImport,
  getStationImportReport,
  getStationTemplate,
  type StationImport,
  startStationImport,
  stationImportColumns,
  stationImportLimits,
} from '@voltdeck/contract/station-imports';
import { listStations } from '@voltdeck/contract/stations';
import type { Task } from '@voltdeck/contract/tasks';
import { listUnknownStations } from '@voltdeck/contract/unknown-stations';
import { Alert, Button, Modal, Progress } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { useAction } from '../api/queries.ts';
import { upload } from '../api/upload.ts';
import { knownPhrase, phrase } from '../phrases.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { countText } from '../ui/figures.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { TaskButtons } from '../ui/tasks/TaskButtons.tsx';
import { TaskOutcome, type TaskTexts } from '../ui/tasks/TaskOutcome.tsx';
import { useTask } from '../ui/tasks/use-task.ts';
import { FileDrop } from '../ui/upload/FileDrop.tsx';
import { megabytesText } from '../ui/upload/file-rules.ts';
import uploadStyles from '../ui/upload/upload.module.css';
import { useAttempt } from '../ui/use-attempt.ts';
import styles from './stations.module.css';

type Step =
  | { kind: 'choose' }
  | { kind: 'checking'; name: string; share: number }
  | { kind: 'checked'; file: StationImport; isChanged: boolean }
  | { kind: 'running'; taskId: Task['id'] };

const widthPx = 720;
const maxText = () =>
  phrase('import.rule', {
    max: megabytesText(stationImportLimits.bytesMax),
    rows: countText(stationImportLimits.rowsMax),
  });

const changedLists = [listStations, listConnectors, listUnknownStations];

const textsOf = (): TaskTexts => ({
  running: phrase('import.running'),
  later: phrase('import.later'),
  done: (count) => phrase('import.done', { count }),
  doneText: phrase('import.doneText'),
  cancelled: phrase('import.cancelled'),
  failed: phrase('import.failed'),
  cancel: phrase('import.cancel'),
  file: phrase('import.file'),
});

/** Imports stations from a workbook: checked first, then written after consent, in the background. */
export default function StationImportDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [step, setStep] = useState<Step>({ kind: 'choose' });
  const { attempt, failure, forget } = useAttempt();
  const start = useAction(startStationImport);
  const giveUp = useRef<AbortController | null>(null);
  const task = useTask(step.kind === 'running' ? step.taskId : null, changedLists);

  const texts = textsOf();
  const check = ([file]: readonly File[]) =>
    void attempt(async () => {
      if (file === undefined) return;
      const stop = new AbortController();
      giveUp.current = stop;
      const { name } = file;
      setStep({ kind: 'checking', name, share: 0 });
      try {
        const onProgress = (share: number) => setStep({ kind: 'checking', name, share });
        const checked = await upload(checkStationImport, file, { onProgress, signal: stop.signal, quiet: true });
        setStep({ kind: 'checked', file: checked, isChanged: false });
      } catch (error) {
        setStep({ kind: 'choose' });
        if (!stop.signal.aborted) throw error;
      }
    });
  const begin = ({ id }: StationImport) =>
    void attempt(async () => {
      const started = await start.mutateAsync({ params: { id }, quiet: true });
      const { taskId } = started;
      setStep(taskId === null ? { kind: 'checked', file: started, isChanged: true } : { kind: 'running', taskId });
    });
  const leave = () => {
    giveUp.current?.abort();
    onClose();
    forget();
    setStep({ kind: 'choose' });
  };

  return (
    <Modal
      title={phrase('import.title')}
      open={open}
      onCancel={leave}
      width={widthPx}
      mask={{ closable: false }}
      destroyOnHidden
      footer={footer()}
    >
      {failure === null ? null : <Alert className={styles.formAlert ?? ''} type="error" showIcon title={failure} />}
      <div aria-live="polite">{body()}</div>
    </Modal>
  );

  function body(): ReactNode {
    switch (step.kind) {
      case 'choose':
        return (
          <>
            <p className={styles.formIntro}>{phrase('import.intro')}</p>
            <p>
              <Button onClick={() => void attempt(() => fetchFile(getStationTemplate, {}))}>
                {phrase('import.downloadTemplate')}
              </Button>
            </p>
            <FileDrop accept=".xlsx" onFiles={check}>
              <InboxOutlined className={uploadStyles.icon} />
              <span>
                {phrase('import.drop')} <strong>{phrase('import.choose')}</strong>
              </span>
            </FileDrop>
            <p className={uploadStyles.rule}>{maxText()}</p>
          </>
        );
      case 'checking':
        return (
          <>
            <p>{phrase('import.checking', { name: step.name })}</p>
            <Progress percent={Math.round(step.share * 100)} status="active" aria-label={phrase('import.title')} />
          </>
        );
      case 'checked':
        return <Checked file={step.file} isChanged={step.isChanged} />;
      case 'running':
        return <TaskOutcome task={task} texts={texts} />;
    }
  }

  function footer(): ReactNode {
    if (step.kind === 'checked') {
      const { file } = step;
      return (
        <>
          <Button onClick={() => setStep({ kind: 'choose' })}>{phrase('import.another')}</Button>
          {file.badCount === 0 ? null : (
            <Button onClick={() => void attempt(() => fetchFile(getStationImportReport, { params: { id: file.id } }))}>
              {phrase('import.report')}
            </Button>
          )}
          <Button type="primary" disabled={file.goodCount === 0} loading={start.isPending} onClick={() => begin(file)}>
            {phrase('import.start', { count: file.goodCount })}
          </Button>
        </>
      );
    }
    if (step.kind !== 'running') return <Button onClick={leave}>{phrase('shell.close')}</Button>;
    return <TaskButtons taskId={step.taskId} task={task} texts={texts} attempt={attempt} onClose={leave} />;
  }
}

function Checked({ file, isChanged }: { file: StationImport; isChanged: boolean }) {
  const { fileName: name, goodCount, badCount, ignoredColumns, faults } = file;
  const summary = isChanged
    ? phrase('import.changedNow', { bad: countText(badCount) })
    : phrase('import.checked', { name, good: countText(goodCount), bad: countText(badCount) });
  return (
    <>
      <Alert
        className={styles.formAlert ?? ''}
        type={badCount === 0 ? 'success' : 'warning'}
        showIcon
        title={summary}
        {...(goodCount === 0 ? { description: phrase('import.nothing') } : {})}
      />
      {ignoredColumns.length === 0 ? null : (
        <p className={styles.quiet}>{phrase('import.ignored', { columns: ignoredColumns.join(', ') })}</p>
      )}
      {faults.length === 0 ? null : (
        <ScrollRegion label={phrase('import.reason')}>
          <table className={`${styles.figures} ${styles.faults}`}>
            <thead>
              <tr>
                <th scope="col">{phrase('import.line')}</th>
                <th scope="col">{phrase('stations.number')}</th>
                <th scope="col">{phrase('import.reason')}</th>
              </tr>
            </thead>
            <tbody>
              {faults.map(({ line, number, faults: found }) => (
                <tr key={line}>
                  <td>{line}</td>
                  <td className={`${styles.mono} ${styles.unknownNumber}`}>{number}</td>
                  <td className={styles.wraps}>
                    {found.map((fault) => (
                      <div key={`${fault.column} ${fault.code}`}>
                        {phrase(fault.params?.value === undefined ? 'import.fault' : 'import.faultOf', {
                          column: phrase(stationImportColumns[fault.column].title),
                          value: fault.params?.value ?? '',
                          fault: phrase(
                            `field.${fault.code}`,
                            paramsInWords(stationImportColumns, fault, knownPhrase, phrase('list.comma')),
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
