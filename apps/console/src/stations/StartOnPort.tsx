import { getCard } from '@voltdeck/contract/cards';
import type { Connector } from '@voltdeck/contract/connectors';
import { getCustomer } from '@voltdeck/contract/customers';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import { useAnswer } from '../api/queries.ts';
import { useCan } from '../session/use-can.ts';
import StartChargeForm from './StartChargeForm.tsx';

type Props = {
  port: Connector;
  /** Who pays, if a link knows it. */
  given: { cardId?: CardId; customerId?: CustomerId };
  open: boolean;
  onClose: () => void;
};

/** Starts a charge on one port. A payer that the link names is filled in, unless the user sees numbers masked. */
export default function StartOnPort({ port, given, open, onClose }: Props) {
  const can = useCan();
  const { cardId, customerId } = given;
  const reveals = can('personal.reveal');
  const asksCard = cardId !== undefined && reveals && can('card.read');
  const asksCustomer = customerId !== undefined && reveals && can('customer.read');
  const card = useAnswer(getCard, { params: { id: cardId ?? (0 as CardId) }, quiet: true }, { enabled: asksCard });
  const customer = useAnswer(
    getCustomer,
    { params: { id: customerId ?? (0 as CustomerId) }, quiet: true },
    { enabled: asksCustomer },
  );
  if ((asksCard && card.isPending) || (asksCustomer && customer.isPending)) return null;
  return (
    <StartChargeForm
      ports={[port]}
      chosen={port.id}
      paidBy={{ cardNumber: card.data?.number, customerPhone: customer.data?.phone }}
      open={open}
      onClose={onClose}
    />
  );
}
