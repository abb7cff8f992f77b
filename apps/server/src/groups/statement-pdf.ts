import type { Readable } from 'node:stream';
import type { Language } from '@voltdeck/contract/languages';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import { type Fen, groupedYuan } from '@voltdeck/units/money';
import {
  drawFeet,
  drawHead,
  drawLines,
  drawTable,
  type Made,
  mm,
  openPdf,
  type PrintedLine,
} from '../http/printed-page.ts';
import { say } from '../http/say.ts';
import { closingOwnFen, type MonthStatement } from './month-statement.ts';

/** The month of a group on paper: from its opening to its closing balance, and what each member charged. */
export async function statementPdf(
  statement: MonthStatement,
  month: string,
  made: Made,
  language: Language,
): Promise<Readable> {
  const title = say(language, 'group-statement.title', { month });
  const { pdf, written } = await openPdf(`${title} ${statement.groupName}`, made, language);
  const facts = [
    [say(language, 'group-statement.issuer'), statement.issuer],
    [say(language, 'groups.group'), statement.groupName],
    [say(language, 'groups.cardNumber'), statement.cardNumber],
    [say(language, 'groups.statementMonth'), month],
  ] as const;
  let y = drawHead(pdf, { title, facts, note: say(language, 'group-statement.counted') }, made, language);
  y = drawLines(pdf, linesOf(statement, language), y) + 6 * mm;
  if (statement.members.length > 0) drawTable(pdf, membersTable(statement, language), y);
  drawFeet(pdf, `${title} ${statement.groupName}`, language);
  pdf.end();
  return written;
}

/** The lines of a statement; the amounts between the balances add up to their difference. */
export function statementAmounts(statement: MonthStatement): { title: PhraseKey; amountFen: Fen; isSum: boolean }[] {
  const part = (title: PhraseKey, amountFen: Fen) => ({ title, amountFen, isSum: false });
  return [
    { title: 'group-statement.opening', amountFen: statement.openingFen, isSum: true },
    part('group-statement.recharged', statement.rechargedFen),
    part('group-statement.gifts', statement.giftFen),
    part('group-statement.returned', statement.returnedFen),
    part('group-statement.charged', statement.chargedFen),
    part('group-statement.refunded', statement.refundedFen),
    { title: 'group-statement.closing', amountFen: statement.closingFen, isSum: true },
    part('group-statement.closingOwn', closingOwnFen(statement)),
    part('group-statement.closingPots', statement.closingPotsFen),
    part('group-statement.allocated', statement.allocatedFen),
  ];
}

function linesOf(statement: MonthStatement, language: Language): PrintedLine[] {
  return statementAmounts(statement).map(({ title, amountFen, isSum }) => ({
    title: say(language, title),
    value: groupedYuan(amountFen),
    isSum,
  }));
}

function membersTable({ members }: MonthStatement, language: Language) {
  const kwh = (energyWh: number) => (energyWh / 1000).toFixed(2);
  return {
    title: say(language, 'group-statement.members'),
    columns: [
      { head: say(language, 'groupMembers.name'), share: 0.2, isText: true },
      { head: say(language, 'groupMembers.phone'), share: 0.2, isText: true },
      { head: say(language, 'group-statement.charges'), share: 0.12 },
      { head: say(language, 'group-statement.energyKwh'), share: 0.16 },
      { head: say(language, 'group-statement.charged'), share: 0.16 },
      { head: say(language, 'group-statement.refunded'), share: 0.16 },
    ],
    rows: members.map(({ name, phone, charges, energyWh, chargedFen, refundedFen }) => [
      name,
      phone,
      String(charges),
      kwh(energyWh),
      groupedYuan(chargedFen),
      groupedYuan(refundedFen),
    ]),
    hasSum: false,
  };
}
