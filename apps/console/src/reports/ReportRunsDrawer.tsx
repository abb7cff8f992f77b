import { getReportRuns, type Report, type ReportRun, type ReportRunState } from '@voltdeck/contract/reports';
import { Drawer, Skeleton } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Instant } from '../ui/Instant.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import type { Tone } from '../ui/state-colours.ts';
import { taskFailureText } from '../ui/tasks/task-failure.ts';
import styles from './reports.module.css';

type Props = { report: Report; open: boolean; onClose: () => void };

const widthPx = 560;
/** While a run is under way. */
const askAgainMs = 5_000;
const tones: Readonly<Record<ReportRunState, Tone>> = {
  waiting: 'occupied',
  writing: 'charging',
  mailing: 'charging',
  done: 'free',
  failed: 'fault',
};
const isOpen = ({ state }: ReportRun) => state !== 'done' && state !== 'failed';

/** What became of a report each time it was made, and of each of its mails. */
export default function ReportRunsDrawer({ report, open, onClose }: Props) {
  const answer = useAnswer(
    getReportRuns,
    { params: { id: report.id } },
    { enabled: open, everyMs: (runs) => (runs?.items.some(isOpen) === true ? askAgainMs : null) },
  );
  return (
    <Drawer
      title={phrase('reports.runsTitle', { name: report.name })}
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : answer.data.items.length === 0 ? (
        <EmptyState title={phrase('reports.noRuns')} />
      ) : (
        <ol className={styles.runs}>
          {answer.data.items.map((run) => (
            <RunOf key={run.id} run={run} />
          ))}
        </ol>
      )}
    </Drawer>
  );
}

function RunOf({ run }: { run: ReportRun }) {
  const failure = taskFailureText(run);
  return (
    <li className={styles.run}>
      <div className={styles.head}>
        <Instant at={run.dueAt} />
        <StateTag tone={tones[run.state]}>{phrase(`report-run.${run.state}`)}</StateTag>
        {run.isAsked ? <span className={styles.quiet}>{phrase('reports.runAsked')}</span> : null}
        {run.taskId === null ? null : (
          <ScreenLink screen="taskDetail" query={{ id: run.taskId }}>
            {phrase('reports.runTask')}
          </ScreenLink>
        )}
      </div>
      <span className={styles.quiet}>{phrase('reports.runPeriod', { from: run.from, to: run.to })}</span>
      {failure === null ? null : <span>{failure}</span>}
      {run.mails.map(({ email, state, tries, errorCode, problem }) => (
        <span key={email} className={styles.mail}>
          {email} · {phrase(`report-mail.${state}`)}
          {tries > 1 ? ` · ${phrase('reports.mailTries', { tries })}` : ''}
          {errorCode === null ? '' : ` · ${taskFailureText({ errorCode })}`}
          {problem === null ? '' : ` · ${problem}`}
        </span>
      ))}
    </li>
  );
}
