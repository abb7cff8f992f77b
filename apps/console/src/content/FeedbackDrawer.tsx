import { type Feedback, getFeedback } from '@voltdeck/contract/feedbacks';
import { Drawer, Skeleton } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { Thumbnail } from '../ui/Thumbnail.tsx';
import styles from './content.module.css';
import { feedbackTones } from './feedback-words.ts';

const PictureViewer = lazyPart(() => import('../ui/PictureViewer.tsx'));

const widthPx = 560;

type Props = { feedback: Feedback; open: boolean; onClose: () => void; onHandle: (feedback: Feedback) => void };

/** One feedback: the message, its author, the station, pictures and how it was handled. */
export default function FeedbackDrawer({ feedback, open, onClose, onHandle }: Props) {
  const can = useCan();
  const answer = useAnswer(getFeedback, { params: { id: feedback.id } }, { enabled: open });
  const shown = answer.data ?? feedback;
  return (
    <Drawer
      title={
        <>
          {phrase('content.feedbackNo', { id: feedback.id })}{' '}
          <StateTag tone={feedbackTones[shown.state]}>{phrase(`feedback-state.${shown.state}`)}</StateTag>
        </>
      }
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
      footer={
        can('feedback.handle') ? (
          <div className={styles.drawerFoot}>
            <DisabledReason
              type="primary"
              because={shown.state === 'waiting' ? undefined : phrase('error.feedback.already_handled')}
              onClick={() => onHandle(shown)}
            >
              {phrase('content.handle')}
            </DisabledReason>
          </div>
        ) : null
      }
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <FeedbackFacts feedback={answer.data} />
      )}
    </Drawer>
  );
}

function FeedbackFacts({ feedback }: { feedback: Feedback }) {
  return (
    <>
      <p className={styles.said}>{feedback.description}</p>
      <FeedbackPictures feedback={feedback} />
      <dl className={styles.facts}>
        <Fact title={phrase('content.feedbackKind')}>{phrase(`feedback-kind.${feedback.kind}`)}</Fact>
        <Fact title={phrase('content.stationNumber')}>
          {feedback.stationNumber === '' ? (
            nothingText
          ) : (
            <CopyNumber value={feedback.stationNumber}>
              {feedback.stationId === null ? (
                feedback.stationNumber
              ) : (
                <ScreenLink screen="deviceDetail" query={{ id: feedback.stationId }}>
                  {feedback.stationNumber}
                </ScreenLink>
              )}
            </CopyNumber>
          )}
        </Fact>
        <Fact title={phrase('content.customer')}>{feedback.nickname ?? nothingText}</Fact>
        <Fact title={phrase('content.phone')}>
          {feedback.phone === '' ? nothingText : <CopyNumber value={feedback.phone} />}
        </Fact>
        <Fact title={phrase('content.agent')}>{feedback.agentName ?? phrase('list.ofPlatform')}</Fact>
      </dl>
      <h3 className={styles.factsHead}>{phrase('content.history')}</h3>
      <ol className={styles.history}>
        <li>
          <div className={styles.historyHead}>
            {phrase('content.received')} <Instant at={feedback.createdAt} exact />
          </div>
        </li>
        {feedback.state === 'waiting' ? null : (
          <li>
            <div className={styles.historyHead}>
              {phrase(`feedback-state.${feedback.state}`)} <Instant at={feedback.handledAt} exact />{' '}
              {feedback.handledByName}
            </div>
            <dl className={styles.historyFacts}>
              <Fact title={phrase('content.annotation')}>{feedback.annotation || nothingText}</Fact>
              <Fact title={phrase('content.reply')}>{feedback.reply || phrase('content.noReply')}</Fact>
            </dl>
          </li>
        )}
      </ol>
    </>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function FeedbackPictures({ feedback }: { feedback: Feedback }) {
  const [first, setFirst] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const total = feedback.pictureUrls.length;
  const pictures = feedback.pictureUrls.map((address, index) => ({
    address,
    name: phrase('content.feedbackPicture', { index: index + 1, total }),
  }));
  if (total === 0) return null;
  return (
    <>
      <ul className={styles.thumbnails} aria-label={phrase('content.pictures')}>
        {pictures.map(({ address, name }, index) => (
          <li key={address}>
            <Thumbnail
              size="large"
              address={address}
              name={name}
              onOpen={() => {
                setFirst(index);
                setOpen(true);
              }}
            />
          </li>
        ))}
      </ul>
      <Suspense>
        {first === null ? null : (
          <PictureViewer key={first} pictures={pictures} first={first} open={isOpen} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </>
  );
}
