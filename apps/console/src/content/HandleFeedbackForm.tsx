import { type Feedback, getFeedback, handleFeedbacks, listFeedbacks } from '@voltdeck/contract/feedbacks';
import { useRefresh } from '../api/queries.ts';
import { Refused } from '../api/refused.ts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import styles from './content.module.css';

type Outcome = 'handled' | 'ignored';
type Props = {
  feedbacks: readonly (Pick<Feedback, 'id'> & Partial<Feedback>)[];
  open: boolean;
  onClose: () => void;
  onHandled: (outcome: Outcome, count: number) => void;
};

/** Handles or ignores one or more feedbacks, with a note of what was done and a reply to the user. */
export default function HandleFeedbackForm({ feedbacks, open, onClose, onHandled }: Props) {
  const refresh = useRefresh();
  const count = feedbacks.length;
  const verbOf = (chosen: Outcome) =>
    count === 1
      ? phrase(chosen === 'handled' ? 'content.handleVerb' : 'content.ignoreVerb')
      : phrase(chosen === 'handled' ? 'content.handleManyVerb' : 'content.ignoreManyVerb', { count });
  return (
    <RouteForm
      as="dialog"
      route={handleFeedbacks}
      given={{ ids: feedbacks.map(({ id }) => id) }}
      title={
        count === 1
          ? phrase('content.handleTitle', { id: feedbacks[0]?.id ?? '' })
          : phrase('content.handleManyTitle', { count })
      }
      submitLabel={({ outcome: chosen = 'handled' }) => verbOf(chosen)}
      draft={`feedback handling ${feedbacks.map(({ id }) => id).join(' ')}`}
      initial={{ outcome: 'handled' }}
      intro={<Complaints feedbacks={feedbacks} />}
      fields={{
        outcome: { label: 'content.outcome', word: (chosen) => phrase(`feedback-state.${chosen}`) },
        annotation: { label: 'content.annotation', hint: 'content.annotationHint', rows: 3 },
        reply: { label: 'content.reply', hint: 'content.replyHint', rows: 3 },
      }}
      refreshes={[listFeedbacks, getFeedback]}
      // Someone else was faster; the list behind the form shows which.
      onFailed={(failure) => {
        const isHandled = failure instanceof Refused && failure.code === 'feedback.already_handled';
        if (isHandled) void refresh(listFeedbacks, getFeedback);
      }}
      open={open}
      onClose={onClose}
      onSaved={({ handled }, { outcome = 'handled' }) => onHandled(outcome, handled)}
    />
  );
}

/** Keeps the complaints in sight while the reply is written. */
function Complaints({ feedbacks }: Pick<Props, 'feedbacks'>) {
  const told = feedbacks.filter(({ description }) => description !== undefined);
  if (told.length === 0) return null;
  return (
    <ul className={styles.complaints}>
      {told.map(({ id, kind, stationNumber, description }) => (
        <li key={id}>
          <span className={styles.complaintHead}>
            {kind === undefined ? null : phrase(`feedback-kind.${kind}`)}
            {stationNumber ? ` · ${stationNumber}` : ''}
          </span>
          <p>{description}</p>
        </li>
      ))}
    </ul>
  );
}
