import type { Waits } from '@voltdeck/contract/approvals';
import { Button } from 'antd';
import { phrase } from '../phrases.ts';

type Props = {
  approval: Waits['waitsFor'];
  /** Null where the user may not open the list. */
  onShow: (() => void) | null;
};

/** What waits for a second person, and where. */
export default function WaitingNotice({ approval: { number, hasDecider }, onShow }: Props) {
  return (
    <span>
      {phrase('approvals.nowWaits', { number })}
      {hasDecider ? null : ` ${phrase('approvals.nobodyElse')}`}
      {onShow === null ? null : (
        <Button type="link" size="small" onClick={onShow}>
          {phrase('approvals.show')}
        </Button>
      )}
    </span>
  );
}
