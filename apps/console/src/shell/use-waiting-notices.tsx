import { App } from 'antd';
import { Suspense, useEffect, useEffectEvent } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { onWaiting } from '../api/reactions.ts';
import { useGo, useMayGo } from '../session/use-go.ts';
import { withWords } from '../words.ts';

const WaitingNotice = lazyPart(withWords(['approvals'], () => import('./WaitingNotice.tsx')));

/** Long enough to follow the link. */
const noticeSeconds = 12;

/** Says that an act waits for a second person, in place of the success that its form would have shown. */
export function useWaitingNotices(): void {
  const { message } = App.useApp();
  const go = useGo();
  const mayGo = useMayGo();
  const showIt = useEffectEvent((number: string) => {
    go('approvalList', { number });
    message.destroy(number);
  });
  const canShow = mayGo('approvalList');
  useEffect(
    () =>
      onWaiting((approval) => {
        const { number } = approval;
        const content = (
          <Suspense fallback={number}>
            <WaitingNotice approval={approval} onShow={canShow ? () => showIt(number) : null} />
          </Suspense>
        );
        void message.open({ type: 'info', key: number, content, duration: noticeSeconds });
      }),
    [message, canShow],
  );
}
