import { App } from 'antd';
import type { ReactNode } from 'react';
import { phrase } from '../phrases.ts';
import { useTell } from './use-tell.ts';

export type Question = {
  /** The question, naming the thing and the number: "Delete station 1042 with its 2 gun ports?" */
  question: string;
  /** What will happen, in numbers. */
  details?: ReactNode;
  /** The verb on the button: "Delete". */
  verb?: string;
  danger?: boolean;
  /** What is done on yes; the button stays busy until it has ended, and the dialog stays open when it throws. */
  act?: () => Promise<unknown>;
};

/** Asks before something that cannot be undone. Gives whether it was agreed to (and done). */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { modal } = App.useApp();
  const tell = useTell();
  return ({ question, details, verb, danger, act }) =>
    new Promise((resolve) => {
      const dialog = modal.confirm({
        title: phrase('shell.systemNotice'),
        content: (
          <>
            <div>{question}</div>
            {details === undefined ? null : <div style={{ marginTop: 8, color: 'var(--text-second)' }}>{details}</div>}
          </>
        ),
        okText: verb ?? phrase('shell.confirm'),
        cancelText: phrase('shell.cancel'),
        okButtonProps: { danger: danger ?? false },
        focusable: { autoFocusButton: danger ? 'cancel' : 'ok' },
        // Not a promise: the kit would let a refused one go uncaught.
        onOk: (close: () => void) => {
          const show = (isBusy: boolean) =>
            dialog.update({
              okButtonProps: { danger: danger ?? false, loading: isBusy },
              cancelButtonProps: { disabled: isBusy },
            });
          show(true);
          Promise.resolve(act?.()).then(
            () => {
              resolve(true);
              close();
            },
            (failure: unknown) => {
              show(false);
              tell(failure);
            },
          );
        },
        onCancel: () => resolve(false),
      });
    });
}
