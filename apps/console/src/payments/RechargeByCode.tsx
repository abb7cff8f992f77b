import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { RechargeTarget } from '@voltdeck/contract/payments';
import { useRef, useState } from 'react';
import RechargeCodeDialog from './RechargeCodeDialog.tsx';
import RechargeCodeForm, { type MadeCode } from './RechargeCodeForm.tsx';

type Props = {
  target: RechargeTarget;
  channels: readonly PaymentChannelName[];
  open: boolean;
  onClose: () => void;
};

/** First the amount, then the code. */
export default function RechargeByCode({ target, channels, open, onClose }: Props) {
  const [code, setCode] = useState<MadeCode | null>(null);
  /** A saved form closes too, and then the code follows. */
  const isMade = useRef(false);
  return (
    <>
      <RechargeCodeForm
        target={target}
        channels={channels}
        open={open && code === null}
        onClose={() => {
          if (!isMade.current) onClose();
        }}
        onMade={(made) => {
          isMade.current = true;
          setCode(made);
        }}
      />
      {code === null ? null : (
        <RechargeCodeDialog
          key={code.id}
          target={target}
          code={code}
          open={open}
          onClose={onClose}
          onAgain={() => {
            isMade.current = false;
            setCode(null);
          }}
        />
      )}
    </>
  );
}
