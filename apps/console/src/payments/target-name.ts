import { phrase } from '../phrases.ts';

type Named = {
  cardNumber: string | null;
  customerPhone: string | null;
  nickname: string | null;
};

/** Whose balance it is: "card C0FFEE0000000001", "user Li (13800000000)". */
export function targetName({ cardNumber, customerPhone, nickname }: Named): string {
  return cardNumber === null
    ? phrase('recharges.targetCustomer', { name: nickname ?? '', phone: customerPhone ?? '' })
    : phrase('recharges.targetCard', { number: cardNumber });
}
