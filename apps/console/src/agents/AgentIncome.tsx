import { getAgentIncome } from '@voltdeck/contract/agents';
import type { AgentId } from '@voltdeck/units/id';
import { Button } from 'antd';
import { useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { countText, moneyText } from '../ui/figures.ts';
import { LatestPanel } from '../ui/LatestPanel.tsx';
import styles from './agents.module.css';

/** What the agent earned day by day, a month at a time. */
export function AgentIncome({ id }: { id: AgentId }) {
  /** The days before which the pages begin; none for the latest. */
  const [pages, setPages] = useState<readonly string[]>([]);
  const before = pages.at(-1);
  const answer = useAnswer(
    getAgentIncome,
    { params: { id }, query: before === undefined ? {} : { before } },
    { keepPrevious: true },
  );
  const { data } = answer;
  const earlier = data?.before ?? null;
  const items = data?.days.map((day, index) => ({ id: index, ...day }));
  return (
    <LatestPanel
      title={phrase('agents.dailyIncome')}
      width="whole"
      all={
        <span className={styles.pages}>
          <Button size="small" disabled={earlier === null} onClick={() => setPages([...pages, earlier ?? ''])}>
            {phrase('agents.earlierDays')}
          </Button>
          <Button size="small" disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
            {phrase('agents.laterDays')}
          </Button>
        </span>
      }
      answer={{ ...answer, data: items === undefined ? undefined : { items, total: items.length } }}
      empty={phrase('agents.noIncome')}
      heads={[
        { title: phrase('agents.day'), cell: ({ day }) => day },
        { title: phrase('agents.sharedOrders'), isRight: true, cell: ({ orders }) => countText(orders) },
        { title: phrase('agents.electricityShare'), isRight: true, cell: (day) => moneyText(day.electricityFen) },
        { title: phrase('agents.serviceShare'), isRight: true, cell: (day) => moneyText(day.serviceFen) },
        { title: phrase('agents.occupancyShare'), isRight: true, cell: (day) => moneyText(day.occupancyFen) },
        { title: phrase('agents.dayIncome'), isRight: true, cell: ({ amountFen }) => moneyText(amountFen) },
      ]}
    />
  );
}
