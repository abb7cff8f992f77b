import type { Readable } from 'node:stream';
import type { Language } from '@voltdeck/contract/languages';
import type { Statement } from '@voltdeck/contract/statements';
import { groupedYuan } from '@voltdeck/units/money';
import {
  drawFeet,
  drawHead,
  drawLines,
  drawTable,
  drawText,
  type Made,
  mm,
  openPdf,
  type Pdf,
} from '../http/printed-page.ts';
import { say } from '../http/say.ts';
import { type PrintedStatement, printedLines } from './printed-statement.ts';

/** A statement on paper: who and when, its lines, and its sites with their sum. */
export async function statementPdf(statement: PrintedStatement, made: Made, language: Language): Promise<Readable> {
  const { name, period, sum } = statement;
  const title = say(language, statement.unit === 'month' ? 'statement-pdf.monthOf' : 'statement-pdf.dayOf', {
    day: period,
    month: period,
  });
  const { pdf, written } = await openPdf(`${title} ${name}`, made, language);
  const facts = [
    [say(language, 'statement-pdf.for'), name],
    [say(language, 'statement-pdf.period'), period],
  ] as const;
  let y = drawHead(pdf, { title, facts, note: say(language, 'statement-pdf.counted') }, made, language);
  y =
    sum === null
      ? drawText(pdf, say(language, 'statement-pdf.nothing'), y)
      : drawLines(
          pdf,
          printedLines(sum).map((each) => ({ ...each, title: say(language, each.title) })),
          y,
        );
  drawSites(pdf, statement, y + 6 * mm, language);
  drawFeet(pdf, title, language);
  pdf.end();
  return written;
}

const columns = [
  { title: 'finance.site', share: 0.31, of: ({ siteName }: Statement) => siteName ?? '' },
  { title: 'finance.orders', share: 0.09, of: ({ orders }: Statement) => String(orders) },
  { title: 'statement-pdf.energyUnit', share: 0.13, of: ({ energyWh }: Statement) => kwh(energyWh) },
  { title: 'finance.receivable', share: 0.12, of: ({ receivableFen }: Statement) => groupedYuan(receivableFen) },
  { title: 'finance.received', share: 0.12, of: ({ receivedFen }: Statement) => groupedYuan(receivedFen) },
  { title: 'finance.refunds', share: 0.11, of: ({ refundsFen }: Statement) => groupedYuan(refundsFen) },
  { title: 'finance.net', share: 0.12, of: ({ netFen }: Statement) => groupedYuan(netFen) },
] as const;

function drawSites(
  pdf: Pdf,
  { sites, others, otherSites, sum }: PrintedStatement,
  y: number,
  language: Language,
): void {
  if (sum === null || sites.length === 0) return;
  const cellsOf = (name: string, of: Statement) => columns.map((column, index) => (index === 0 ? name : column.of(of)));
  const rows = [
    ...sites.map((site) => cellsOf(site.siteName ?? '', site)),
    ...(others === null ? [] : [cellsOf(say(language, 'statement-pdf.otherSites', { count: otherSites }), others)]),
    cellsOf(say(language, 'statement-pdf.sum'), sum),
  ];
  const heads = columns.map(({ title, share }, index) => ({ head: say(language, title), share, isText: index === 0 }));
  drawTable(pdf, { title: say(language, 'statement-pdf.sites'), columns: heads, rows, hasSum: true }, y);
}

const kwh = (wh: number) => (wh / 1000).toFixed(3);
