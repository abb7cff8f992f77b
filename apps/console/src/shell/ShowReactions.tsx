import { App } from 'antd';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { refusalToastMs, setReactions } from '../api/reactions.ts';
import { forgetToken } from '../api/token.ts';
import { onSessionLost, useSessionLoss } from './session-loss.ts';

const SessionLostDialog = lazyPart(() => import('./SessionLostDialog.tsx'));

/** Shows refusals as the specification (section 8) requires. */
export function ShowReactions() {
  const { message } = App.useApp();
  const isAsking = useSessionLoss(({ state }) => state === 'asking');
  useEffect(() => {
    setReactions({
      // The same message from several requests at once is shown once.
      toast: (text) => void message.open({ type: 'error', content: text, key: text, duration: refusalToastMs / 1000 }),
      signOut: () => {
        forgetToken();
        location.reload();
      },
      sessionLost: onSessionLost,
    });
  }, [message]);
  return isAsking ? (
    <Suspense>
      <SessionLostDialog />
    </Suspense>
  ) : null;
}
