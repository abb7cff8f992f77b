import { getInvoiceSeller, type InvoiceSeller, setInvoiceSeller } from '@voltdeck/contract/invoices';
import type { AgentId } from '@voltdeck/units/id';
import { Alert, Form, Skeleton } from 'antd';
import { useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordSelect } from '../ui/RecordSelect.tsx';
import { rateOptions } from './invoice-words.ts';
import styles from './invoices.module.css';

type Props = { open: boolean; onClose: () => void; onSaved: (told: string) => void };

/** What stands of a seller on its invoices: of the platform or one of its agents, or of the user's own agent. */
export default function SellerFormDrawer({ open, onClose, onSaved }: Props) {
  const [agentId, setAgentId] = useState<AgentId | undefined>(undefined);
  const answer = useAnswer(getInvoiceSeller, { query: { agentId } }, { enabled: open });
  const [form] = Form.useForm();
  const seller = answer.data;
  return (
    <RouteForm
      key={`${agentId ?? 'own'} ${seller === undefined}`}
      form={form}
      route={setInvoiceSeller}
      change={setInvoiceSeller}
      record={seller ?? null}
      params={{}}
      given={{ agentId: seller?.agentId ?? agentId }}
      title={phrase('invoices.settings')}
      submitLabel={phrase('invoices.saveSettings')}
      intro={<Intro seller={seller} agentId={agentId} onAgent={setAgentId} />}
      fields={{
        name: { label: 'invoices.seller.name' },
        taxNumber: { label: 'invoices.seller.taxNumber' },
        address: { label: 'invoices.seller.address', kind: 'text' },
        tel: { label: 'invoices.seller.tel', isShort: true },
        terminal: { label: 'invoices.seller.terminal', isShort: true },
        bank: { label: 'invoices.seller.bank', isShort: true },
        bankAccount: { label: 'invoices.seller.bankAccount', isShort: true },
        drawer: { label: 'invoices.seller.drawer', heading: 'invoices.seller.people', isShort: true },
        checker: { label: 'invoices.seller.checker', isShort: true },
        payee: { label: 'invoices.seller.payee' },
        electricityRateBp: {
          label: 'invoices.seller.electricityRate',
          heading: 'invoices.seller.rates',
          kind: 'select',
          options: rateOptions,
          isShort: true,
        },
        serviceRateBp: { label: 'invoices.seller.serviceRate', kind: 'select', options: rateOptions, isShort: true },
        electricityTaxCode: { label: 'invoices.seller.electricityTaxCode', hint: 'invoices.seller.taxCodeHint' },
        serviceTaxCode: { label: 'invoices.seller.serviceTaxCode', hint: 'invoices.seller.taxCodeHint' },
        allowed: { label: 'invoices.seller.allowed', word: (value) => phrase(`invoice-allowed.${value}`) },
      }}
      refreshes={[getInvoiceSeller]}
      open={open}
      onClose={onClose}
      onSaved={({ name }) => onSaved(phrase('invoices.settingsSaved', { name }))}
    />
  );
}

type IntroProps = {
  seller: InvoiceSeller | undefined;
  agentId: AgentId | undefined;
  onAgent: (agentId: AgentId | undefined) => void;
};

function Intro({ seller, agentId, onAgent }: IntroProps) {
  const { user } = useSession();
  return (
    <div className={styles.intro}>
      <p>{phrase('invoices.settingsIntro')}</p>
      {user.busiid === null ? (
        <Form.Item label={phrase('invoices.seller.agent')} extra={phrase('invoices.seller.agentHint')}>
          <RecordSelect
            choices={recordChoices.agent}
            optional
            value={agentId}
            onChange={(value) => onAgent(value as AgentId | undefined)}
          />
        </Form.Item>
      ) : null}
      {seller === undefined ? <Skeleton active paragraph={{ rows: 1 }} title={false} /> : null}
      {seller?.isDefault === true ? <Alert type="info" showIcon title={phrase('invoices.isDefault')} /> : null}
    </div>
  );
}
