import { PlusOutlined } from '@ant-design/icons';
import { type Feedback, feedbackKinds, feedbackStates, getFeedback, listFeedbacks } from '@voltdeck/contract/content';
import { App, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { countText, nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import { agentChoices } from '../ui/list/record-choices.ts';
import type { BulkAction, ListColumn, ListFilter, RowAction } from '../ui/list-page.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { useReopenedDraft } from '../ui/use-draft.ts';
import styles from './content.module.css';
import { areAllWaiting, feedbackTones, handlingMax } from './feedback-words.ts';

/** Loaded when one is opened: a list is read far more often than it is acted on. */
const FeedbackDrawer = lazy(() => import('./FeedbackDrawer.tsx'));
const HandleFeedbackForm = lazy(() => import('./HandleFeedbackForm.tsx'));
const RecordFeedbackForm = lazy(() => import('./RecordFeedbackForm.tsx'));

const toastSeconds = 5;

function feedbackColumns(open: (feedback: Feedback) => void): ListColumn<typeof listFeedbacks>[] {
  return [
    {
      key: 'description',
      title: phrase('content.description'),
      widthPx: 320,
      initiallyPinned: true,
      render: (feedback) => (
        <button type="button" className={styles.linkButton} title={feedback.description} onClick={() => open(feedback)}>
          {feedback.description}
        </button>
      ),
    },
    {
      key: 'kind',
      title: phrase('content.feedbackKind'),
      widthPx: 128,
      render: (feedback) => phrase(`feedback-kind.${feedback.kind}`),
    },
    {
      key: 'state',
      title: phrase('content.feedbackState'),
      widthPx: 104,
      render: (feedback) => (
        <StateTag tone={feedbackTones[feedback.state]}>{phrase(`feedback-state.${feedback.state}`)}</StateTag>
      ),
    },
    {
      key: 'createdAt',
      title: phrase('content.feedbackAt'),
      widthPx: 172,
      sort: 'createdAt',
      render: (feedback) => <Instant at={feedback.createdAt} />,
    },
    {
      key: 'station',
      title: phrase('content.stationNumber'),
      widthPx: 176,
      render: (feedback) =>
        feedback.stationNumber === '' ? (
          nothingText
        ) : (
          <CopyNumber value={feedback.stationNumber}>
            {feedback.stationId === null ? (
              feedback.stationNumber
            ) : (
              <Link to={`/deviceDetail?id=${feedback.stationId}`}>{feedback.stationNumber}</Link>
            )}
          </CopyNumber>
        ),
    },
    {
      key: 'nickname',
      title: phrase('content.customer'),
      widthPx: 120,
      render: (feedback) => feedback.nickname ?? nothingText,
    },
    {
      key: 'phone',
      title: phrase('content.phone'),
      widthPx: 136,
      render: (feedback) => (feedback.phone === '' ? nothingText : <CopyNumber value={feedback.phone} />),
    },
    {
      key: 'agent',
      title: phrase('content.agent'),
      widthPx: 140,
      render: (feedback) => feedback.agentName ?? phrase('content.platform'),
    },
    {
      key: 'pictures',
      title: phrase('content.pictures'),
      widthPx: 72,
      align: 'right',
      render: (feedback) => <span className="figure">{countText(feedback.pictureUrls.length)}</span>,
    },
    {
      key: 'handledBy',
      title: phrase('content.handledBy'),
      widthPx: 112,
      render: (feedback) => feedback.handledByName ?? nothingText,
    },
    {
      key: 'handledAt',
      title: phrase('content.handledAt'),
      widthPx: 172,
      render: (feedback) => <Instant at={feedback.handledAt} />,
    },
    {
      key: 'annotation',
      title: phrase('content.annotation'),
      widthPx: 240,
      initiallyHidden: true,
      render: (feedback) => feedback.annotation || nothingText,
    },
  ];
}

function feedbackFilters(): ListFilter<typeof listFeedbacks>[] {
  return [
    {
      kind: 'choice',
      name: 'state',
      label: phrase('content.feedbackState'),
      choices: feedbackStates.map((value) => ({ value, label: phrase(`feedback-state.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'kind',
      label: phrase('content.feedbackKind'),
      choices: feedbackKinds.map((value) => ({ value, label: phrase(`feedback-kind.${value}`) })),
    },
    { kind: 'text', name: 'phone', label: phrase('content.phone'), maxLength: 20 },
    { kind: 'text', name: 'stationNumber', label: phrase('content.stationNumber'), maxLength: 48 },
    { kind: 'record', name: 'agentId', label: phrase('content.agent'), ...agentChoices },
    { kind: 'period', name: 'period', label: phrase('content.feedbackAt'), from: 'from', to: 'to' },
  ];
}

type Handling = { feedbacks: readonly Feedback[]; done: () => void };

/** What users report, and what became of it; /feedbackList. */
export default function FeedbackListPage() {
  const can = useCan();
  const refresh = useRefresh();
  const { message } = App.useApp();
  const [opened, setOpened] = useState<Feedback | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [handling, setHandling] = useState<Handling | null>(null);
  const [isHandling, setHandlingOpen] = useState(false);
  const [isRecording, setRecording] = useState(false);
  const [wasRecording, setWasRecording] = useState(false);

  const showRecording = () => {
    setWasRecording(true);
    setRecording(true);
  };
  useReopenedDraft('feedback add', showRecording);
  const show = (feedback: Feedback) => {
    setOpened(feedback);
    setOpen(true);
  };
  const handle = (feedbacks: readonly Feedback[], done: () => void) => {
    if (feedbacks.length > handlingMax) {
      message.warning(phrase('content.tooManySelected', { max: handlingMax }), toastSeconds);
      return;
    }
    if (!areAllWaiting(feedbacks)) {
      message.warning(phrase('error.feedback.already_handled'), toastSeconds);
      done();
      void refresh(listFeedbacks, getFeedback);
      return;
    }
    setHandling({ feedbacks, done });
    setHandlingOpen(true);
  };

  const actsOf = (feedback: Feedback): RowAction[] => [
    { key: 'open', label: phrase('content.open'), onClick: () => show(feedback) },
    ...(can('feedback.handle')
      ? [
          {
            key: 'handle',
            label: phrase('content.handle'),
            because: feedback.state === 'waiting' ? undefined : phrase('error.feedback.already_handled'),
            onClick: () => handle([feedback], () => {}),
          },
        ]
      : []),
  ];
  const bulkActions: BulkAction<typeof listFeedbacks>[] = [
    { key: 'handle', label: phrase('content.handleMany'), onClick: handle },
  ];

  const record = can('feedback.create') ? (
    <Button type="primary" icon={<PlusOutlined />} onClick={showRecording}>
      {phrase('content.recordFeedback')}
    </Button>
  ) : null;

  return (
    <>
      <ListPage
        name="feedbacks"
        title={phrase('content.feedbackTitle')}
        route={listFeedbacks}
        rowKey={(feedback) => feedback.id}
        rowName={(feedback) => phrase('content.feedbackNo', { id: feedback.id })}
        filters={feedbackFilters()}
        columns={feedbackColumns(show)}
        toolbar={record}
        rowActions={actsOf}
        {...(can('feedback.handle') ? { bulkActions } : {})}
        empty={{ title: phrase('content.noFeedback'), text: phrase('content.noFeedbackText') }}
      />
      <Suspense>
        {opened === null ? null : (
          <FeedbackDrawer
            key={opened.id}
            feedback={opened}
            open={isOpen}
            onClose={() => setOpen(false)}
            onHandle={(feedback) => handle([feedback], () => {})}
          />
        )}
        {handling === null ? null : (
          <HandleFeedbackForm
            key={handling.feedbacks.map(({ id }) => id).join(' ')}
            feedbacks={handling.feedbacks}
            open={isHandling}
            onClose={() => setHandlingOpen(false)}
            onHandled={(outcome, count) => {
              handling.done();
              message.success(phrase(outcome === 'handled' ? 'content.handledNow' : 'content.ignoredNow', { count }));
            }}
          />
        )}
        {wasRecording ? (
          <RecordFeedbackForm
            open={isRecording}
            onClose={() => setRecording(false)}
            onRecorded={({ id }) => message.success(phrase('content.feedbackRecorded', { id }))}
          />
        ) : null}
      </Suspense>
    </>
  );
}
