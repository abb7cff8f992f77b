import { createFeedback, type Feedback, listFeedbacks } from '@voltdeck/contract/feedbacks';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

const picturesMax = 9;

type Props = { open: boolean; onClose: () => void; onRecorded: (feedback: Feedback) => void };

/** Records feedback from a phone call to the hotline. */
export default function RecordFeedbackForm({ open, onClose, onRecorded }: Props) {
  return (
    <RouteForm
      route={createFeedback}
      title={phrase('content.recordFeedback')}
      submitLabel={phrase('content.recordFeedback')}
      draft="feedback add"
      initial={{ kind: 'cannot_start' }}
      fields={{
        kind: { label: 'content.feedbackKind', word: (kind) => phrase(`feedback-kind.${kind}`) },
        description: { label: 'content.description', rows: 4 },
        phone: { label: 'content.phone' },
        stationNumber: { label: 'content.stationNumber' },
        pictureKeys: { label: 'content.pictures', pictures: { purpose: 'feedback', max: picturesMax } },
      }}
      refreshes={[listFeedbacks]}
      open={open}
      onClose={onClose}
      onSaved={onRecorded}
    />
  );
}
