import { type Api, signIn } from '@voltdeck/journeys/api';
import type { Database } from '@voltdeck/server/database/database';
import { fundBalance } from '@voltdeck/server/http/test-records';
import type { AgentId } from '@voltdeck/units/id';
import { newToken } from './console-page.ts';

export type PaidAgent = { id: AgentId; realName: string; accountNumber: string; token: string; api: Api };

const account = {
  payoutKind: 'corporate',
  payoutBank: '中国工商银行',
  payoutBranch: '广州天河支行',
  payoutBankCode: '102581000123',
  payoutNumber: '6222020200001234567',
};

/**
 * An agent whose settled shares are on its balance and who entered its payout account long ago; its main account is signed
 * in.
 */
export async function addPaidAgent(
  { api, database, url }: { api: Api; database: Database; url: string },
  { loginName, realName, phone }: { loginName: string; realName: string; phone: string },
  balanceFen: number,
): Promise<PaidAgent> {
  const form = { loginName, realName, phone, sharePercent: 62.5 };
  const { id, initialPassword } = await api.post<{ id: AgentId; initialPassword: string }>('/agents', form);
  await fundBalance(database, { kind: 'agent', id }, balanceFen);
  await database.db
    .updateTable('users')
    .set({ password_is_initial: false })
    .where('user_name', '=', loginName)
    .execute();
  const who = { userName: loginName, password: initialPassword };
  const own = { token: await newToken(url, who), api: await signIn(url, who) };
  const set = await own.api.ask('PUT', '/agent-withdrawals/account', { ...account, payoutHolder: realName });
  if (set.httpStatus !== 200) throw new Error(`the account of ${realName} is not set: ${set.message.message}`);
  await agePayoutAccounts(database);
  return { id, realName, accountNumber: account.payoutNumber, ...own };
}

/** Payout accounts that are set are no longer new ones, so that a withdrawal waits for nobody. */
export async function agePayoutAccounts(database: Database): Promise<void> {
  await database.pool.query(`update payout_account_changes set changed_at = changed_at - interval '30 days'`);
}
