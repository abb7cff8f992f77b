import type { AnswerOf } from '@voltdeck/contract/route';
import { getPortUse, type UsedPort } from '@voltdeck/contract/statistics';
import { useCallback } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { type Place, place } from '../session/place.ts';
import { countText, energyText, rateText } from '../ui/figures.ts';
import { portText } from '../ui/ports/port-text.ts';
import { barChart, barChartHeightPx } from './bar-chart.ts';
import { columnChart } from './column-chart.ts';
import { type Drawing, FigurePanel } from './FigurePanel.tsx';
import { durationOfSeconds, energyWithUnit } from './measure-words.ts';
import { ordersOf } from './orders-behind.ts';
import type { Asked } from './sales-query.ts';
import type { StatisticsView } from './statistics-view.ts';

type PortUse = AnswerOf<typeof getPortUse>;

const barsHeightPx = barChartHeightPx(10);

const nameLines = ({ stationName, stationNumber, name, number }: UsedPort) => [
  stationName === '' ? stationNumber : stationName,
  portText({ number, name }),
];
const portName = (port: UsedPort) => nameLines(port).join(' · ');

function portsDrawing(ports: readonly UsedPort[], empty: string, view: StatisticsView): Drawing {
  const { period, filter } = view;
  const used = phrase('statistics.utilisation');
  const leadsTo = ({ stationNumber, number }: UsedPort): Place =>
    place('orderListHistory', ordersOf(period, { ...filter, stationNumber, connectorNumber: number }));
  return {
    heightPx: barChartHeightPx(Math.max(ports.length, 3)),
    label: phrase('statistics.splitLabel', {
      what: used,
      parts: ports.map(portName).join(phrase('list.comma')),
    }),
    option: barChart(
      ports.map((port) => ({
        name: portName(port),
        lines: nameLines(port),
        value: port.utilisationE4,
        text: rateText(port.utilisationE4),
        rows: [
          [phrase('statistics.site'), port.siteName],
          [phrase('statistics.orders'), countText(port.orders)],
          [phrase('statistics.energy'), energyWithUnit(port.energyWh)],
          [phrase('statistics.busyTime'), durationOfSeconds(port.durationS)],
        ],
      })),
      used,
    ),
    table: {
      heads: [
        phrase('statistics.port'),
        phrase('statistics.stationNumber'),
        phrase('statistics.site'),
        used,
        phrase('statistics.busyTime'),
        phrase('statistics.orders'),
        `${phrase('statistics.energy')} (kWh)`,
      ],
      rows: ports.map((port) => ({
        key: String(port.connectorId),
        cells: [
          portName(port),
          port.stationNumber,
          port.siteName,
          rateText(port.utilisationE4),
          durationOfSeconds(port.durationS),
          countText(port.orders),
          energyText(port.energyWh),
        ],
        names: [1, 2],
        leads: leadsTo(port),
      })),
    },
    empty: ports.length === 0 ? empty : null,
    itemLeads: (index) => {
      const port = ports[index];
      return port === undefined ? null : leadsTo(port);
    },
  };
}

const bandStepPercent = 10;

function bandsDrawing({ bands, ports, utilisationE4 }: PortUse): Drawing {
  const names = bands.map((_, index) => {
    const from = index * bandStepPercent;
    return index === bands.length - 1
      ? phrase('statistics.percentFrom', { from })
      : phrase('statistics.percentBand', { from, to: from + bandStepPercent });
  });
  const head = phrase('statistics.ports');
  return {
    heightPx: 220,
    label: phrase('statistics.splitLabel', { what: head, parts: names.join(phrase('list.comma')) }),
    option: columnChart({
      marks: names,
      heads: names,
      axisName: head,
      series: [{ name: head, kind: 'column', colour: 'charging', values: bands, text: countText }],
    }),
    table: {
      heads: [phrase('statistics.utilisation'), head],
      rows: bands.map((count, index) => ({ key: names[index] ?? '', cells: [names[index] ?? '', countText(count)] })),
      foot: [phrase('statistics.sum'), countText(ports)],
    },
    empty: ports === 0 ? phrase('statistics.noPorts') : null,
    remark: phrase('statistics.portsTogether', { ports: countText(ports), used: rateText(utilisationE4) }),
  };
}

/** How much of the period gun ports charged. */
export function PortPanels({ view, asked }: { view: StatisticsView; asked: Asked }) {
  const answer = useAnswer(getPortUse, { query: asked.query }, asked.options);
  const most = useCallback(({ top }: PortUse) => portsDrawing(top, phrase('statistics.noPorts'), view), [view]);
  const least = useCallback(
    ({ bottom, ports }: PortUse) =>
      portsDrawing(bottom, phrase(ports === 0 ? 'statistics.noPorts' : 'statistics.allAreMost'), view),
    [view],
  );
  return (
    <>
      <FigurePanel
        place={13}
        isWide
        title={phrase('statistics.portUse')}
        note={phrase('statistics.portUseNote')}
        answer={answer}
        draw={bandsDrawing}
        heightPx={220}
      />
      <FigurePanel
        place={14}
        title={phrase('statistics.mostUsed')}
        note={phrase('statistics.usedNote')}
        answer={answer}
        draw={most}
        heightPx={barsHeightPx}
      />
      <FigurePanel
        place={15}
        title={phrase('statistics.leastUsed')}
        note={phrase('statistics.usedNote')}
        answer={answer}
        draw={least}
        heightPx={barsHeightPx}
      />
    </>
  );
}
