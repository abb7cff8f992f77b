import type { WaitingAct } from '@voltdeck/contract/approvals';
import { Alert } from 'antd';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { moneyText } from './figures.ts';

/** The acts on a record that wait for a second person, each with a link to it. */
export default function WaitingActs({ waits }: { waits: readonly WaitingAct[] }) {
  return (
    <>
      {waits.map(({ id, number, kind, amountFen }) => (
        <Alert
          key={id}
          type="warning"
          showIcon
          title={
            <>
              {phrase('approvals.recordWaits', { act: phrase(`approval-kind.${kind}`), amount: moneyText(amountFen) })}{' '}
              <ScreenLink screen="approvalList" query={{ number }}>
                {number}
              </ScreenLink>
            </>
          }
        />
      ))}
    </>
  );
}
