import { getCard, listCards } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import type { ChannelPaymentState } from '@voltdeck/contract/payment-channels';
import { findRechargeTargets, listRecharges, type RechargeTarget } from '@voltdeck/contract/payments';
import { getRechargeCode } from '@voltdeck/contract/recharge-codes';
import { Alert, App, Button, Modal, QRCode } from 'antd';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { copyText } from '../ui/copy-text.ts';
import { moneyText } from '../ui/figures.ts';
import { StateTag } from '../ui/StateTag.tsx';
import type { Tone } from '../ui/state-colours.ts';
import { useNow } from '../ui/use-now.ts';
import type { MadeCode } from './RechargeCodeForm.tsx';
import styles from './recharge.module.css';
import { targetName } from './target-name.ts';

const sizePx = 240;
const secondMs = 1_000;
/** Without an event of the server: a proxy may hold them back. */
const askAgainMs = 5 * secondMs;

const tones: Readonly<Record<ChannelPaymentState, Tone>> = {
  created: 'occupied',
  paying: 'occupied',
  unknown: 'occupied',
  paid: 'free',
  closed: 'offline',
  failed: 'fault',
};

function isOver(state: ChannelPaymentState | undefined): boolean {
  return state === 'paid' || state === 'closed' || state === 'failed';
}

type Props = { target: RechargeTarget; code: MadeCode; open: boolean; onClose: () => void; onAgain: () => void };

/** A code to be scanned, until it is paid or nobody can pay it any more. */
export default function RechargeCodeDialog({ target, code, open, onClose, onAgain }: Props) {
  const { message } = App.useApp();
  const refresh = useRefresh();
  const { data = code } = useAnswer(
    getRechargeCode,
    { params: { id: code.id } },
    { enabled: open, staleMs: 0, everyMs: (known) => (isOver(known?.state) ? null : askAgainMs) },
  );
  const isOpen = !isOver(data.state);
  // Its money is on the balance once it is paid.
  const askAgain = () =>
    void refresh(getRechargeCode, listRecharges, listCards, getCard, listCustomers, getCustomer, findRechargeTargets);
  useConsoleEvents('recharge-code-changed', (event) => {
    if (event.rechargeCodeId === code.id) askAgain();
  });
  useConsoleEvents('missed', askAgain);
  const now = useNow(secondMs, open && isOpen);
  const leftMs = Date.parse(data.expiresAt) - now;
  return (
    <Modal
      title={phrase('recharge-codes.title', { target: targetName(target), amount: moneyText(data.amountFen) })}
      open={open}
      onCancel={onClose}
      width={400}
      destroyOnHidden
      footer={
        <>
          {isOpen ? null : <Button onClick={onAgain}>{phrase('recharge-codes.again')}</Button>}
          <Button type={isOpen ? 'default' : 'primary'} onClick={onClose}>
            {phrase('recharge-codes.close')}
          </Button>
        </>
      }
    >
      <div className={styles.code}>
        <span role="status" className={styles.codeState}>
          <StateTag tone={tones[data.state]}>{phrase(`recharge-code-state.${data.state}`)}</StateTag>
        </span>
        {isOpen && data.codeUrl !== null ? (
          <>
            <QRCode
              value={data.codeUrl}
              size={sizePx}
              type="svg"
              color="#000"
              bgColor="#fff"
              errorLevel="M"
              aria-label={phrase('recharge-codes.code')}
            />
            <span>{phrase(`recharge-codes.scan.${data.channel}`)}</span>
            <span className={styles.quiet}>
              {leftMs > 0
                ? phrase('recharge-codes.left', { time: clockText(leftMs) })
                : phrase('recharge-codes.expired')}
            </span>
            <span className={styles.links}>
              <a href={code.pageUrl} target="_blank" rel="noreferrer">
                {phrase('recharge-codes.page')}
              </a>
              <Button
                type="link"
                size="small"
                onClick={async () => {
                  if (await copyText(code.pageUrl)) message.success(phrase('recharge-codes.copied'));
                }}
              >
                {phrase('recharge-codes.copyPage')}
              </Button>
            </span>
          </>
        ) : null}
        {data.rechargeNumber === null ? null : (
          <ScreenLink screen="chongzhiRecods" query={{ number: data.rechargeNumber }}>
            {phrase('recharge-codes.toRecharge', { number: data.rechargeNumber })}
          </ScreenLink>
        )}
        {data.attention === null ? null : (
          <Alert type="warning" showIcon message={phrase(`recharge-codes.attention.${data.attention}`)} />
        )}
      </div>
    </Modal>
  );
}

/** "14:59". */
function clockText(ms: number): string {
  const seconds = Math.floor(ms / secondMs);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
