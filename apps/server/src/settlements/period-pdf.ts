import type { Readable } from 'node:stream';
import type { Language } from '@voltdeck/contract/languages';
import { parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import { groupedYuan, subtractFen } from '@voltdeck/units/money';
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
import type { PrintedPeriod, PrintedSite } from './printed-period.ts';

/**
 * A settlement period on paper, for the agent or divider whose it is: what it came to by fee, by which terms, at which
 * sites, what of it corrects earlier periods, and whether it was paid out. Amounts are in yuan, days in China.
 */
export async function periodPdf(printed: PrintedPeriod, made: Made, language: Language): Promise<Readable> {
  const { period } = printed;
  const title = say(language, 'settlement-pdf.title', { from: period.fromOn, to: period.toOn });
  const { pdf, written } = await openPdf(`${title} ${period.partyName}`, made, language);
  const facts = factsOf(printed, language);
  const note = say(language, period.state === 'open' ? 'settlement-pdf.soFar' : 'settlement-pdf.counted');
  let y = drawHead(pdf, { title, facts, note }, made, language);
  y = drawLines(pdf, linesOf(printed, language), y) + 6 * mm;
  for (const table of [termsTable, sitesTable, correctionsTable]) {
    const drawn = table(printed, language);
    if (drawn.rows.length > 0) y = drawTable(pdf, drawn, y) + 6 * mm;
  }
  drawFeet(pdf, `${title} ${period.partyName}`, language);
  pdf.end();
  return written;
}

const instantText = (iso: string | null, otherwise: string) => {
  const at = iso === null ? null : parseIso(iso);
  return at === null ? otherwise : shanghaiDateTime(at);
};

function factsOf({ period, issuer }: PrintedPeriod, language: Language): [head: string, text: string][] {
  const nothing = '–';
  const by = (name: string | null) => (name === null ? '' : ` ${name}`);
  return [
    [say(language, 'settlement-pdf.issuer'), issuer],
    [say(language, 'statement-pdf.for'), period.partyName],
    [say(language, 'settlements.partyKind'), say(language, `settled-kind.${period.party}`)],
    [
      say(language, 'statement-pdf.period'),
      say(language, 'settlements.fromTo', { from: period.fromOn, to: period.toOn }),
    ],
    [say(language, 'settlement-pdf.number'), String(period.id)],
    [say(language, 'settlements.state'), say(language, `settlement-state.${period.state}`)],
    [say(language, 'settlements.cycle'), say(language, `settlement-cycle.${period.cycle}`)],
    [say(language, 'settlements.closedAt'), `${instantText(period.closedAt, nothing)}${by(period.closedByName)}`],
    [say(language, 'settlements.paidOutAt'), `${instantText(period.paidOutAt, nothing)}${by(period.paidOutByName)}`],
  ];
}

function linesOf({ period, sum }: PrintedPeriod, language: Language): PrintedLine[] {
  const { orders, carriedInFen, netFen, paidOutFen, restFromOn, restToOn } = period;
  const money = (title: Parameters<typeof say>[1], amountFen: number, isSum = false): PrintedLine => ({
    title: say(language, title),
    value: groupedYuan(amountFen as typeof sum.amountFen),
    isSum,
  });
  return [
    { title: say(language, 'settlements.orders'), value: String(orders), isSum: false },
    money('settlements.electricity', sum.electricityFen),
    money('settlements.service', sum.serviceFen),
    ...(sum.occupancyFen === 0 ? [] : [money('settlements.occupancy', sum.occupancyFen)]),
    money('settlements.shares', sum.amountFen, true),
    ...(carriedInFen === null ? [] : [money('settlements.carriedIn', carriedInFen)]),
    ...(netFen === null ? [] : [money('settlements.net', netFen, true)]),
    ...(netFen === null ? [] : [money('settlement-pdf.paidOut', paidOutFen ?? 0)]),
    ...(netFen === null || paidOutFen === null || restFromOn === null || restToOn === null
      ? []
      : [
          {
            title: say(language, 'settlement-pdf.rest', { from: restFromOn, to: restToOn }),
            value: groupedYuan(subtractFen(netFen, paidOutFen)),
            isSum: false,
          },
        ]),
  ];
}

const percent = (e4: number) => `${(e4 / 100).toFixed(2)}%`;

function termsTable({ terms }: PrintedPeriod, language: Language) {
  return {
    title: say(language, 'settlement-pdf.terms'),
    columns: [
      { head: say(language, 'settlements.electricity'), share: 0.25 },
      { head: say(language, 'settlements.service'), share: 0.25 },
      { head: say(language, 'settlements.occupancy'), share: 0.25 },
      { head: say(language, 'settlements.orders'), share: 0.25 },
    ],
    rows: terms.map(({ electricityE4, serviceE4, occupancyE4, orders }) => [
      percent(electricityE4),
      percent(serviceE4),
      percent(occupancyE4),
      String(orders),
    ]),
    hasSum: false,
  };
}

function sitesTable({ sites, others, otherSites, sum, period }: PrintedPeriod, language: Language) {
  const cellsOf = (name: string, of: Omit<PrintedSite, 'name'>) => [
    name,
    String(of.orders),
    groupedYuan(of.electricityFen),
    groupedYuan(of.serviceFen),
    groupedYuan(of.occupancyFen),
    groupedYuan(of.amountFen),
  ];
  const rows = [
    ...sites.map((site) => cellsOf(site.name, site)),
    ...(others === null ? [] : [cellsOf(say(language, 'statement-pdf.otherSites', { count: otherSites }), others)]),
  ];
  return {
    title: say(language, 'statement-pdf.sites'),
    columns: [
      { head: say(language, 'settlements.site'), share: 0.35, isText: true },
      { head: say(language, 'settlements.orders'), share: 0.1 },
      { head: say(language, 'settlements.electricity'), share: 0.14 },
      { head: say(language, 'settlements.service'), share: 0.14 },
      { head: say(language, 'settlements.occupancy'), share: 0.13 },
      { head: say(language, 'settlements.amount'), share: 0.14 },
    ],
    rows:
      rows.length === 0
        ? []
        : [...rows, cellsOf(say(language, 'statement-pdf.sum'), { ...sum, orders: period.orders })],
    hasSum: true,
  };
}

function correctionsTable({ corrections, otherCorrections: { count, amountFen } }: PrintedPeriod, language: Language) {
  const more =
    count === 0 ? [] : [[say(language, 'settlement-pdf.otherCorrections', { count }), '', '', groupedYuan(amountFen)]];
  return {
    title: say(language, 'settlement-pdf.corrections'),
    columns: [
      { head: say(language, 'settlements.orderNumber'), share: 0.34, isText: true },
      { head: say(language, 'settlement-pdf.postedOn'), share: 0.18, isText: true },
      { head: say(language, 'settlements.corrects'), share: 0.32, isText: true },
      { head: say(language, 'settlements.amount'), share: 0.16 },
    ],
    rows: [
      ...corrections.map(({ orderNumber, day, correctsFromOn: from, correctsToOn: to, amountFen: ofOne }) => [
        orderNumber,
        day,
        say(language, 'settlements.fromTo', { from, to }),
        groupedYuan(ofOne),
      ]),
      ...more,
    ],
    hasSum: false,
  };
}
