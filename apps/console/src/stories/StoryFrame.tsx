import type { ScreenCode } from '@voltdeck/contract/screens';
import type { Story } from '@voltdeck/contract/stories';
import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import type { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import styles from './story.module.css';

type List = { screen: Extract<ScreenCode, 'orderListHistory' | 'deviceList' | 'registerUser'>; name: string };
type Answer = Pick<ReturnType<typeof useAnswer>, 'isPending' | 'error' | 'refetch'> & { data: Story | undefined };

/** The page of a story whose address names no record. */
export function NoStory({ list }: { list: List }) {
  return (
    <EmptyState
      title={phrase('list.recordGone')}
      text={phrase('stories.chooseRecord')}
      action={<ScreenLink screen={list.screen}>{phrase('shell.backToList', { list: list.name })}</ScreenLink>}
    />
  );
}

/** Waits for a story, or says why there is none. */
export function StoryFrame({
  answer,
  list,
  children,
}: {
  answer: Answer;
  list: List;
  children: (story: Story) => ReactNode;
}) {
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 8 }} className={styles.page ?? ''} />;
  if (answer.data === undefined) {
    const absent = { title: phrase('list.recordGone'), list: list.screen, listName: list.name };
    return <ErrorState failure={answer.error as never} retry={() => void answer.refetch()} absent={absent} />;
  }
  return children(answer.data);
}
