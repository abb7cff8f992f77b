import type { Card } from '@voltdeck/contract/cards';
import type { Customer } from '@voltdeck/contract/customers';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import type { Fen } from '@voltdeck/units/money';
import { phrase } from '../../phrases.ts';

/** A card or a registered user as the forms that move its money need it. */
export type WalletShown = {
  cardId?: CardId;
  customerId?: CustomerId;
  /** "card C0FFEE0000000001", "user Li (13800000000)". */
  name: string;
  /** Free. */
  paidFen: Fen;
  giftFen: Fen;
  owedFen: Fen;
};

export function walletOfCard({ id, number, paidFen, giftFen, owedFen }: Card): WalletShown {
  return { cardId: id, name: phrase('transfers.card', { number }), paidFen, giftFen, owedFen };
}

export function walletOfCustomer({ id, nickname, phone, paidFen, giftFen, owedFen }: Customer): WalletShown {
  return { customerId: id, name: phrase('transfers.customer', { name: nickname, phone }), paidFen, giftFen, owedFen };
}
