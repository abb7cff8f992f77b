import { Alert, App } from 'antd';
import type { ReactNode } from 'react';
import { keptKey } from '../api/kept-key.ts';
import { isServerSilent, onNetwork } from '../api/network.ts';
import { Waiting } from '../api/refused.ts';
import { phrase } from '../phrases.ts';
import { useTell } from './use-tell.ts';

export type Question = {
  /** The question, with the thing and the number: "Delete station 1042 with its 2 gun ports?" */
  question: string;
  /** What will happen, in numbers. */
  details?: ReactNode;
  /** The verb on the button: "Delete". */
  verb?: string;
  danger?: boolean;
  /**
   * Runs after confirmation; the button stays busy until it ends, and the dialog stays open if it throws. Confirmed
   * again after a try without an answer, it runs under the same key.
   */
  act?: (idempotencyKey: string) => Promise<unknown>;
};

/** Asks before something irreversible. Resolves to whether the user agreed (and it was done). */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { modal } = App.useApp();
  const tell = useTell();
  return ({ question, details, verb, danger, act }) =>
    new Promise((resolve) => {
      const underKey = keptKey();
      let isBusy = false;
      let isLeft = false;
      const partsNow = () => {
        const isTrying = isBusy && isServerSilent();
        return {
          content: (
            <>
              <div>{question}</div>
              {details === undefined ? null : (
                <div style={{ marginTop: 8, color: 'var(--text-second)' }}>{details}</div>
              )}
              {isTrying ? (
                <Alert type="warning" showIcon style={{ marginTop: 12 }} title={phrase('shell.stillTrying')} />
              ) : null}
            </>
          ),
          okButtonProps: { danger: danger ?? false, loading: isBusy },
          cancelButtonProps: { disabled: isBusy && !isTrying },
          cancelText: phrase(isTrying ? 'shell.leaveTrying' : 'shell.cancel'),
        };
      };
      const dialog = modal.confirm({
        title: phrase('shell.systemNotice'),
        ...partsNow(),
        okText: verb ?? phrase('shell.confirm'),
        focusable: { autoFocusButton: danger ? 'cancel' : 'ok' },
        // Not a promise: the kit would leave a rejection uncaught.
        onOk: (close: () => void) => {
          const show = () => {
            if (!isLeft) dialog.update(partsNow());
          };
          const stopWatching = onNetwork(show);
          const end = () => {
            stopWatching();
            isBusy = false;
            show();
          };
          isBusy = true;
          show();
          underKey(async (key) => act?.(key)).then(
            () => {
              end();
              resolve(true);
              close();
            },
            (failure: unknown) => {
              end();
              if (failure instanceof Waiting) close();
              if (isLeft || failure instanceof Waiting) resolve(false);
              tell(failure);
            },
          );
        },
        // A running act goes on, and its outcome is shown.
        onCancel: () => {
          isLeft = true;
          if (!isBusy) resolve(false);
        },
      });
    });
}
