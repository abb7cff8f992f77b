import type { AnswerOf } from '@voltdeck/contract/route';
import { getSiteRanking, type RankedSite, type SiteRanking } from '@voltdeck/contract/statistics';
import { useCallback } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { type Place, place } from '../session/place.ts';
import { countText, energyText, rateText, yuanText } from '../ui/figures.ts';
import { barChart, barChartHeightPx } from './bar-chart.ts';
import { type Drawing, FigurePanel } from './FigurePanel.tsx';
import { measureName, measureText } from './measure-words.ts';
import { ordersOf } from './orders-behind.ts';
import type { Asked } from './sales-query.ts';
import type { StatisticsView } from './statistics-view.ts';

type Ranking = AnswerOf<typeof getSiteRanking>;

const barsHeightPx = barChartHeightPx(10);

const rankedValue = (site: RankedSite, by: SiteRanking): number =>
  ({
    receivable: site.receivableFen,
    energy: site.energyWh,
    orders: site.orders,
    utilisation: site.utilisationE4,
  })[by];

function sitesDrawing(sites: readonly RankedSite[], empty: string, view: StatisticsView): Drawing {
  const { by, period, filter } = view;
  const leadsTo = ({ siteId }: RankedSite): Place => place('orderListHistory', ordersOf(period, { ...filter, siteId }));
  return {
    heightPx: barChartHeightPx(Math.max(sites.length, 3)),
    label: phrase('statistics.splitLabel', {
      what: measureName(by),
      parts: sites.map(({ siteName }) => siteName).join(phrase('list.comma')),
    }),
    option: barChart(
      sites.map((site) => ({
        name: site.siteName,
        value: rankedValue(site, by),
        text: measureText(rankedValue(site, by), by),
        rows: [
          [phrase('statistics.ports'), countText(site.ports)],
          [phrase('statistics.utilisation'), rateText(site.utilisationE4)],
        ],
      })),
      measureName(by),
    ),
    table: {
      heads: [
        phrase('statistics.site'),
        `${phrase('statistics.receivable')} (¥)`,
        `${phrase('statistics.received')} (¥)`,
        `${phrase('statistics.energy')} (kWh)`,
        phrase('statistics.orders'),
        phrase('statistics.ports'),
        phrase('statistics.utilisation'),
      ],
      rows: sites.map((site) => ({
        key: String(site.siteId),
        cells: [
          site.siteName,
          yuanText(site.receivableFen),
          yuanText(site.receivedFen),
          energyText(site.energyWh),
          countText(site.orders),
          countText(site.ports),
          rateText(site.utilisationE4),
        ],
        leads: leadsTo(site),
      })),
    },
    empty: sites.length === 0 ? empty : null,
    itemLeads: (index) => {
      const site = sites[index];
      return site === undefined ? null : leadsTo(site);
    },
  };
}

/** The sites that brought most and least. */
export function SitePanels({ view, asked }: { view: StatisticsView; asked: Asked }) {
  const { query, options } = asked;
  const answer = useAnswer(getSiteRanking, { query: { ...query, by: view.by } }, options);
  const best = useCallback(({ top }: Ranking) => sitesDrawing(top, phrase('statistics.noSites'), view), [view]);
  const last = useCallback(
    ({ bottom, sites }: Ranking) =>
      sitesDrawing(bottom, phrase(sites === 0 ? 'statistics.noSites' : 'statistics.allAreBest'), view),
    [view],
  );
  const note =
    view.by === 'utilisation'
      ? phrase('statistics.sitesUsedNote')
      : phrase('statistics.sitesNote', { what: measureName(view.by) });
  return (
    <>
      <FigurePanel
        place={11}
        title={phrase('statistics.bestSites')}
        note={note}
        answer={answer}
        draw={best}
        heightPx={barsHeightPx}
      />
      <FigurePanel
        place={12}
        title={phrase('statistics.lastSites')}
        note={note}
        answer={answer}
        draw={last}
        heightPx={barsHeightPx}
      />
    </>
  );
}
