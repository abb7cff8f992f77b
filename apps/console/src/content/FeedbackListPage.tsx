import { type Feedback, getFeedback, listFeedbacks } from '@voltdeck/contract/feedbacks';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Acts, Filters, ListPageProps, OverlayProps } from '../ui/list-page.ts';
import { areAllWaiting, feedbackTones, handlingMax } from './feedback-words.ts';

/** Lazy: most visits to a list never open it. */
const FeedbackDrawer = lazyPart(() => import('./FeedbackDrawer.tsx'));
const HandleFeedbackForm = lazyPart(() => import('./HandleFeedbackForm.tsx'));
const RecordFeedbackForm = lazyPart(() => import('./RecordFeedbackForm.tsx'));

const filters: Filters<typeof listFeedbacks> = {
  state: {},
  kind: {},
  phone: {},
  stationNumber: {},
  agentId: { title: 'content.agent', may: seesAgents },
  from: { title: 'content.feedbackAt' },
};

const look: ListPageProps<typeof listFeedbacks>['look'] = {
  description: { widthPx: 320, isPinned: true, opens: 'open' },
  id: { widthPx: 92 },
  kind: { widthPx: 128 },
  state: { tone: ({ state }) => feedbackTones[state] },
  stationNumber: { link: ({ stationId }) => (stationId === null ? null : place('deviceDetail', { id: stationId })) },
  annotation: { widthPx: 240, isHidden: true },
  reply: { widthPx: 240, isHidden: true },
};

type HandleProps = { feedbacks: readonly Feedback[]; over: OverlayProps<Feedback>; done?: () => void };

function handling({ feedbacks, over: { open, close, tell }, done }: HandleProps) {
  return (
    <HandleFeedbackForm
      feedbacks={feedbacks}
      open={open}
      onClose={close}
      onHandled={(outcome, count) => {
        done?.();
        tell(phrase(outcome === 'handled' ? 'content.handledNow' : 'content.ignoredNow', { count }));
      }}
    />
  );
}

const acts: Acts<Feedback> = {
  record: {
    on: 'list',
    label: 'content.recordFeedback',
    may: 'feedback.create',
    overlay: ({ open, close, tell }) => (
      <RecordFeedbackForm
        open={open}
        onClose={close}
        onRecorded={({ id }) => tell(phrase('content.feedbackRecorded', { id }))}
      />
    ),
  },
  open: {
    on: 'row',
    label: 'content.open',
    overlay: (feedback, { open, close, show }) => (
      <FeedbackDrawer
        feedback={feedback}
        open={open}
        onClose={close}
        onHandle={(handled) => show('handle', [handled])}
      />
    ),
  },
  handle: {
    on: 'row',
    label: 'content.handle',
    may: 'feedback.handle',
    because: ({ state }) => (state === 'waiting' ? undefined : phrase('error.feedback.already_handled')),
    overlay: (feedback, over) => handling({ feedbacks: [feedback], over }),
  },
  handleMany: {
    on: 'rows',
    label: 'content.handleMany',
    may: 'feedback.handle',
    because: (feedbacks) => {
      if (feedbacks.length > handlingMax) return phrase('content.tooManySelected', { max: handlingMax });
      return areAllWaiting(feedbacks) ? undefined : phrase('error.feedback.already_handled');
    },
    overlay: (feedbacks, { done, ...over }) => handling({ feedbacks, over, done }),
  },
};

/** What users report and how it was handled; /feedbackList. */
export default function FeedbackListPage() {
  return (
    <ListPage
      list={listFeedbacks}
      title="content.feedbackTitle"
      nameOf={({ id }) => phrase('content.feedbackNo', { id })}
      filters={filters}
      look={look}
      acts={acts}
      one={getFeedback}
      empty={{ title: 'content.noFeedback', text: 'content.noFeedbackText' }}
    />
  );
}
