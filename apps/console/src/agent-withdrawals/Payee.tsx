import type { AgentWithdrawal } from '@voltdeck/contract/agent-withdrawals';
import type { ReactNode } from 'react';
import { phrase } from '../phrases.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import styles from './agent-withdrawals.module.css';

type Account = Pick<AgentWithdrawal, 'payeeKind' | 'payeeHolder' | 'payeeBank' | 'payeeBranch' | 'payeeBankCode'>;

/** A payout account as it is typed at the bank, field by field. */
export function Payee({ account, number }: { account: Account; number: string }) {
  const { payeeKind, payeeHolder, payeeBank, payeeBranch, payeeBankCode } = account;
  const facts: readonly (readonly [label: Parameters<typeof phrase>[0], value: ReactNode])[] = [
    ['agent-withdrawals.accountKind', phrase(`agent-withdrawal-account.${payeeKind}`)],
    ['agent-withdrawals.holder', <CopyNumber key="holder" value={payeeHolder} />],
    ['agent-withdrawals.bank', payeeBank],
    ...(payeeBranch === null ? [] : ([['agent-withdrawals.branch', payeeBranch]] as const)),
    ...(payeeBankCode === null
      ? []
      : ([['agent-withdrawals.bankCode', <CopyNumber key="code" value={payeeBankCode} />]] as const)),
    ['agent-withdrawals.account', <CopyNumber key="account" value={number} />],
  ];
  return (
    <dl className={styles.payee}>
      {facts.flatMap(([label, value]) => [
        <dt key={`${label} head`}>{phrase(label)}</dt>,
        <dd key={label}>{value}</dd>,
      ])}
    </dl>
  );
}
