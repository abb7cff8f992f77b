import { App } from 'antd';
import { refusalToastMs } from '../api/reactions.ts';
import { Refused, Waiting } from '../api/refused.ts';
import { failureText } from './failure-text.ts';

/** Shows a failure as a toast, unless the client has already shown it. */
export function useTell(): (failure: unknown) => void {
  const { message } = App.useApp();
  return (failure) => {
    if (failure instanceof Waiting || (failure instanceof Refused && failure.isShown)) return;
    const { text } = failureText(failure);
    void message.open({ type: 'error', key: text, content: text, duration: refusalToastMs / 1000 });
  };
}
