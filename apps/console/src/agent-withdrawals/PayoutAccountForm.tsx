import {
  type AgentWithdrawalTerms,
  getAgentWithdrawalTerms,
  setOwnPayoutAccount,
} from '@voltdeck/contract/agent-withdrawals';
import type { PayoutKind } from '@voltdeck/contract/agents';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { Payee } from './Payee.tsx';

type Props = { open: boolean; onClose: () => void; onSaved: (terms: AgentWithdrawalTerms) => void };

const isCorporate = ({ payoutKind }: { payoutKind?: PayoutKind | undefined }) => payoutKind === 'corporate';

/** Sets where the own agent or divider is paid, whole: the present number is masked, so that none of it is kept. */
export default function PayoutAccountForm({ open, onClose, onSaved }: Props) {
  const { data: terms } = useAnswer(getAgentWithdrawalTerms, { query: {} }, { enabled: open, staleMs: 0 });
  return (
    <RouteForm
      route={setOwnPayoutAccount}
      title={phrase('agent-withdrawals.setAccount')}
      submitLabel={phrase('agent-withdrawals.saveAccount')}
      intro={
        <>
          <p>{phrase('agent-withdrawals.accountIntro')}</p>
          {terms === undefined || terms.payee === null ? null : (
            <Payee account={terms.payee} number={terms.payee.payeeAccount} />
          )}
        </>
      }
      initial={{ payoutKind: 'private' }}
      fields={{
        payoutKind: {
          label: 'agent-withdrawals.accountKind',
          word: (kind) => phrase(`agent-withdrawal-account.${kind}`),
        },
        payoutHolder: { label: 'agent-withdrawals.holder' },
        payoutBank: { label: 'agent-withdrawals.bank' },
        payoutBranch: { label: 'agent-withdrawals.branch', requiredIf: isCorporate },
        payoutBankCode: {
          label: 'agent-withdrawals.bankCode',
          kind: 'code',
          hint: 'agent-withdrawals.bankCodeHint',
          requiredIf: isCorporate,
        },
        payoutNumber: { label: 'agent-withdrawals.account', kind: 'code', requiredIf: () => true },
      }}
      refreshes={[getAgentWithdrawalTerms]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
