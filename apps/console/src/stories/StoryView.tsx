import { CopyOutlined, PrinterOutlined, ReloadOutlined } from '@ant-design/icons';
import type { Story, StoryAct, StoryEntry, StoryLink } from '@voltdeck/contract/stories';
import { App, Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type PhraseKey, phrase } from '../phrases.ts';
import { useMayGo } from '../session/use-go.ts';
import { copyText } from '../ui/copy-text.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import type { RowAction } from '../ui/list/list-view.ts';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { ToneShape } from '../ui/ToneShape.tsx';
import { dayAndTime, endText, missingText, sayEntry, sayNow, storyText } from './say-story.ts';
import styles from './story.module.css';
import { byMinute, type StoryMinute } from './story-groups.ts';
import { placeOf } from './story-place.ts';

type Props = {
  story: Story;
  title: string;
  /** Of the record's own page: an act that has its name there is done here. */
  own: readonly RowAction[];
  /** Chooses the period, where there is one to choose. */
  period?: ReactNode;
  refetch: () => void;
  isFetching: boolean;
};

/** A story: the answer in one sentence, what can be done now, and what happened. */
export function StoryView({ story, title, own, period, refetch, isFetching }: Props) {
  const { message } = App.useApp();
  const [showsDetails, setShowsDetails] = useState(false);
  const acts = useStoryActs(story, own);
  const troubles = story.entries.filter(({ weight }) => weight === 'trouble').length;
  const details = story.entries.filter(({ weight }) => weight === 'detail').length;
  const copy = async () => {
    if (await copyText(storyText(story, title))) message.success(phrase('stories.copied'));
    else message.warning(phrase('stories.copyFailed'));
  };
  useOfferedActs([
    ...acts.map(({ key, ...act }) => ({ ...act, key: `${story.subject.kind}.${key}` })),
    { key: 'story.copy', label: phrase('stories.copy'), onClick: () => void copy() },
    { key: 'story.print', label: phrase('stories.print'), onClick: () => window.print() },
    { key: 'story.refresh', label: phrase('list.refresh'), onClick: refetch },
  ]);
  const [answer, ...further] = story.now;
  const missing = missingText(story);
  return (
    <div className={styles.page}>
      <section className={styles.answer} aria-label={phrase('stories.now')}>
        <header className={styles.head}>
          <h1 className={styles.title}>{title}</h1>
          <StateTag tone={troubles > 0 ? 'fault' : 'free'}>
            {troubles > 0 ? phrase('stories.troubles', { count: troubles }) : phrase('stories.noTroubles')}
          </StateTag>
          <div className={styles.tools}>
            <RecordLink subject={story.subject} />
            <Button icon={<CopyOutlined />} onClick={() => void copy()}>
              {phrase('stories.copy')}
            </Button>
            <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
              {phrase('stories.print')}
            </Button>
            <Button
              icon={<ReloadOutlined />}
              loading={isFetching}
              onClick={refetch}
              aria-label={phrase('list.refresh')}
            />
          </div>
        </header>
        {answer === undefined ? null : <p className={styles.sentence}>{sayNow(answer)}</p>}
        {further.length === 0 ? null : (
          <ul className={styles.further}>
            {further.map((sentence) => (
              <li key={sentence.kind}>{sayNow(sentence)}</li>
            ))}
          </ul>
        )}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be for a form */}
        <div className={styles.acts} role="group" aria-label={phrase('stories.acts')}>
          {acts.map(({ key, label, danger, because, onClick }, index) => (
            <DisabledReason
              key={key}
              type={index === 0 && because === undefined && danger !== true ? 'primary' : 'default'}
              danger={danger ?? false}
              because={because}
              onClick={onClick}
            >
              {label}
            </DisabledReason>
          ))}
          {acts.length === 0 ? <span className={styles.quiet}>{phrase('stories.noActs')}</span> : null}
        </div>
      </section>
      <Panel
        title={phrase('stories.timeline')}
        note={phrase('stories.period', { from: dateTime(story.from), to: dateTime(story.to) })}
        tools={
          <div className={styles.tools}>
            {period}
            {details === 0 ? null : (
              <Button onClick={() => setShowsDetails(!showsDetails)} aria-expanded={showsDetails}>
                {showsDetails ? phrase('stories.hideDetails') : phrase('stories.showDetails', { count: details })}
              </Button>
            )}
          </div>
        }
      >
        {missing.length === 0 ? null : (
          <ul className={styles.missing}>
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        {story.entries.length === 0 ? (
          <EmptyState title={phrase('stories.empty')} />
        ) : (
          byMinute(story.entries).map(({ day, minutes }) => (
            <section key={day} aria-label={day}>
              <h3 className={styles.day}>{day}</h3>
              <ol className={styles.minutes}>
                {minutes.map((minute) => (
                  <Minute key={minute.minute} minute={minute} showsDetails={showsDetails} />
                ))}
              </ol>
            </section>
          ))
        )}
      </Panel>
    </div>
  );
}

function dateTime(iso: string): string {
  const { day, time } = dayAndTime(iso);
  return `${day} ${time}`;
}

/** What happened within a minute. Its details are unfolded with those of the whole story, or by themselves. */
function Minute({ minute: { minute, entries }, showsDetails }: { minute: StoryMinute; showsDetails: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const folded = entries.filter(({ weight }) => weight === 'detail').length;
  const showsAll = showsDetails || isOpen;
  // A minute of nothing but details is a line of its own only when they are shown.
  const isQuiet = folded === entries.length;
  return (
    <li className={styles.minute} data-quiet={(isQuiet && !showsAll) || undefined}>
      <time className={`figure ${styles.time}`}>{minute}</time>
      <ul className={styles.entries}>
        {entries.map((entry, index) => (
          <Entry
            // biome-ignore lint/suspicious/noArrayIndexKey: entries are told in order, one may be told twice
            key={`${entry.at} ${entry.kind} ${index}`}
            entry={entry}
            isFolded={entry.weight === 'detail' && !showsAll}
          />
        ))}
        {folded === 0 || showsDetails ? null : (
          <li className={styles.more}>
            <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? phrase('stories.hideDetails') : phrase('stories.moreDetails', { count: folded })}
            </button>
          </li>
        )}
      </ul>
    </li>
  );
}

function Entry({ entry, isFolded }: { entry: StoryEntry; isFolded: boolean }) {
  const { weight, of, at, until, link } = entry;
  return (
    <li className={styles.entry} data-weight={weight} data-folded={isFolded || undefined}>
      <span className={styles.mark} title={phrase(`story-source.${of}`)}>
        {weight === 'trouble' ? <ToneShape tone="fault" sizePx={14} /> : <span className={styles.dot} />}
      </span>
      <span className={styles.said}>
        {weight === 'trouble' ? <span className="for-readers">{phrase('stories.trouble')} </span> : null}
        {sayEntry(entry)}
        {until === null ? null : (
          <span className={`figure ${styles.until}`}>{phrase('stories.lasting', { until: endText(at, until) })}</span>
        )}
      </span>
      <span className={`figure ${styles.seconds}`}>{dayAndTime(at).time}</span>
      <Way link={link} />
    </li>
  );
}

function wayWord(link: StoryLink): string {
  if (link.to === 'frame') return phrase('stories.openFrame');
  if (link.to === 'frames') return phrase('stories.openFrames');
  return phrase(link.to === 'order-story' ? 'stories.openStory' : 'stories.open');
}

function Way({ link }: { link: StoryLink | null }) {
  const mayGo = useMayGo();
  const target = link === null ? null : placeOf(link);
  if (link === null || target === null || !mayGo(target.screen)) return null;
  return (
    <Link to={target.address} className={styles.way}>
      {wayWord(link)}
    </Link>
  );
}

/** An act has one name, whether it is done here or on the page of its record. */
const actWords: Readonly<Record<StoryAct, PhraseKey>> = {
  accept: 'abnormal.accept',
  stop: 'orders.stop',
  cancel: 'orders.cancel',
  settle: 'orders.settle',
  collect: 'orders.collect',
  refund: 'orders.refund',
  dismiss: 'abnormal.dismiss',
  station: 'story-act.station',
  log: 'story-act.log',
  command: 'story-act.command',
  enable: 'story-act.enable',
  disable: 'story-act.disable',
  customer: 'story-act.customer',
  recharge: 'story-act.recharge',
};

/** The acts of the story in its order: done here where the record's own page can, else by way of their screen. */
function useStoryActs(story: Story, own: readonly RowAction[]): RowAction[] {
  const mayGo = useMayGo();
  const navigate = useNavigate();
  return story.acts.flatMap(({ act, because, link }) => {
    const same = own.find(({ key }) => key === act);
    if (same !== undefined) return [same];
    const target = placeOf(link);
    if (!mayGo(target.screen)) return [];
    return [
      {
        key: act,
        label: phrase(actWords[act]),
        danger: false,
        because: because === null ? undefined : phrase(`error.${because}`),
        onClick: () => void navigate(target.address),
      },
    ];
  });
}

/** The record's own page, for whoever may see it. */
function RecordLink({ subject: { kind, id } }: Pick<Story, 'subject'>) {
  const mayGo = useMayGo();
  const to = placeOf({ to: kind, id } as StoryLink);
  return mayGo(to.screen) ? <Link to={to.address}>{phrase('stories.openRecord')}</Link> : null;
}
