import type { AccountParty } from '@voltdeck/contract/books';
import type { AccountId, TransferId } from '@voltdeck/units/id';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { phrase } from '../phrases.ts';
import { toOpen } from '../session/to.ts';
import styles from './books.module.css';
import { ownerText } from './party-words.ts';

/** An account with its owner below, which leads to the account. */
export function PartyLink({ party }: { party: AccountParty }) {
  const owner = ownerText(party);
  return (
    <span className={styles.party}>
      <AccountLink id={party.accountId}>{phrase(`account-kind.${party.kind}`)}</AccountLink>
      {owner === null ? null : <span className={styles.owner}>{owner}</span>}
    </span>
  );
}

function AccountLink({ id, children }: { id: AccountId; children: ReactNode }) {
  return <Link to={toOpen('ledgerList', 'account', { of: id }, { view: 'accounts' })}>{children}</Link>;
}

export function TransferLink({ id, children }: { id: TransferId; children: ReactNode }) {
  return <Link to={toOpen('ledgerList', 'transfer', { of: id })}>{children}</Link>;
}
