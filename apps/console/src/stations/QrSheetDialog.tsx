import { FilePdfOutlined } from '@ant-design/icons';
import {
  type Connector,
  downloadedLabelsMax,
  getLabelSheet,
  listConnectors,
  sheetLabelsMax,
  startLabelSheet,
} from '@voltdeck/contract/connectors';
import { type LabelFormat, labelFormatNames, labelPlace } from '@voltdeck/contract/label-formats';
import type { Task } from '@voltdeck/contract/tasks';
import { Alert, Button, Modal, Select, Skeleton } from 'antd';
import { useState } from 'react';
import { useAction, useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { failureText } from '../ui/failure-text.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { countText } from '../ui/figures.ts';
import { TaskButtons } from '../ui/tasks/TaskButtons.tsx';
import { TaskOutcome, type TaskTexts } from '../ui/tasks/TaskOutcome.tsx';
import { useTask } from '../ui/tasks/use-task.ts';
import { useAttempt } from '../ui/use-attempt.ts';
import { QrLabel } from './QrLabel.tsx';
import styles from './qr-sheet.module.css';
import page from './stations.module.css';

type Props = {
  /** The chosen ports; null for all that the filter matches. */
  ports: readonly Connector[] | null;
  filter?: Readonly<Record<string, string>>;
  open: boolean;
  onClose: () => void;
};

const nothingChanges = [] as const;

const textsOf = (): TaskTexts => ({
  running: phrase('stations.qrSheetRunning'),
  later: phrase('stations.qrSheetLater'),
  done: (count) => phrase('stations.qrSheetDone', { count }),
  cancelled: phrase('stations.qrSheetCancelled'),
  failed: phrase('stations.qrSheetFailed'),
  cancel: phrase('stations.qrSheetCancel'),
  file: phrase('stations.qrPrint'),
});

/** A PDF of labels with the QR codes of many gun ports: downloaded at once, or made in the background when large. */
export default function QrSheetDialog({ ports, filter = {}, open, onClose }: Props) {
  const [format, setFormat] = useState<LabelFormat>('a4-3x8');
  const { attempt, isBusy, failure, forget } = useAttempt();
  const start = useAction(startLabelSheet);
  const [taskId, setTaskId] = useState<Task['id'] | null>(null);
  const task = useTask(taskId, nothingChanges);
  const found = useAnswer(
    listConnectors,
    { query: { ...filter, page: 1, pageSize: 1 } as never },
    { enabled: open && ports === null },
  );
  const count = ports === null ? (found.data?.total ?? null) : ports.length;
  const first = ports === null ? found.data?.items[0] : ports[0];
  const isTooMany = count !== null && (count > sheetLabelsMax || found.data?.totalIsAtLeast === true);

  const make = async () => {
    const connectorIds = ports?.map(({ id }) => id);
    if ((count ?? 0) <= downloadedLabelsMax) {
      const chosen = connectorIds === undefined ? filter : { connectorIds };
      await fetchFile(getLabelSheet, { query: { ...chosen, format } });
      return;
    }
    const chosen = connectorIds === undefined ? { query: { ...filter } } : { connectorIds };
    const started = await start.mutateAsync({ body: { ...chosen, format }, quiet: true });
    setTaskId(started.taskId);
  };
  const leave = () => {
    onClose();
    setTaskId(null);
    forget();
  };
  const texts = textsOf();

  return (
    <Modal
      title={phrase('stations.qrSheetTitle')}
      open={open}
      onCancel={leave}
      width={640}
      destroyOnHidden
      footer={
        taskId === null ? (
          <>
            <Button onClick={leave}>{phrase('shell.close')}</Button>
            <Button
              type="primary"
              icon={<FilePdfOutlined />}
              disabled={count === null || count === 0 || isTooMany}
              loading={isBusy}
              onClick={() => void attempt(make)}
            >
              {texts.file}
            </Button>
          </>
        ) : (
          <TaskButtons
            taskId={taskId}
            task={task}
            texts={texts}
            attempt={attempt}
            fileIcon={<FilePdfOutlined />}
            onClose={leave}
          />
        )
      }
    >
      {failure === null ? null : <Alert className={page.formAlert ?? ''} type="error" showIcon title={failure} />}
      <div aria-live="polite">{taskId === null ? choice() : <TaskOutcome task={task} texts={texts} />}</div>
    </Modal>
  );

  function choice() {
    const failed = ports === null && found.error !== null ? failureText(found.error).text : null;
    const place = labelPlace(format, count ?? 0);
    return (
      <>
        <p className={page.formIntro}>{phrase('stations.qrSheetIntro')}</p>
        <p>
          <Select<LabelFormat>
            aria-label={phrase('stations.qrFormat')}
            value={format}
            onChange={setFormat}
            style={{ width: 280 }}
            options={labelFormatNames.map((value) => ({ value, label: phrase(`stations.qrFormat.${value}`) }))}
          />{' '}
          {count === null ? null : (
            <span className={page.quiet}>
              {phrase('stations.qrSheetCount', { count: countText(count), pages: countText(place.pageCount) })}
            </span>
          )}
        </p>
        {failed === null ? null : <Alert type="error" showIcon title={failed} />}
        {isTooMany ? (
          <Alert type="warning" showIcon title={phrase('stations.qrSheetMore', { max: countText(sheetLabelsMax) })} />
        ) : null}
        {count === null ? (
          failed === null ? (
            <Skeleton active />
          ) : null
        ) : (
          <div className={styles.preview}>
            {first === undefined ? phrase('stations.noPorts') : <QrLabel port={first} place={place} />}
          </div>
        )}
      </>
    );
  }
}
