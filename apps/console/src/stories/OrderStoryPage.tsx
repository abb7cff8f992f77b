import { getOrder, listOrders, type OrderDetail } from '@voltdeck/contract/orders';
import { getOrderStory } from '@voltdeck/contract/stories';
import type { OrderId } from '@voltdeck/units/id';
import { secondMs } from '@voltdeck/units/instant';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { flaggedActs } from '../orders/abnormal-acts.tsx';
import { phrase } from '../phrases.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { useActs } from '../ui/list/use-acts.tsx';
import { useTabTitle } from '../ui/tab-title.ts';
import { NoStory, StoryFrame } from './StoryFrame.tsx';
import { StoryView } from './StoryView.tsx';
import { withStory } from './with-story.ts';

/** Readings come every few seconds; a story is read, not watched. */
const refetchGapMs = 5 * secondMs;

const list = () => ({ screen: 'orderListHistory', name: phrase('menu.orderListHistory') }) as const;
const pageActs = withStory(flaggedActs<OrderDetail>(), getOrderStory);

/** What happened to an order, from frames to postings; /orderStory?id=. */
export default function OrderStoryPage() {
  const id = useRecordId<OrderId>();
  return id === null ? <NoStory list={list()} /> : <StoryOf key={id} id={id} />;
}

function StoryOf({ id }: { id: OrderId }) {
  const question = { params: { id } };
  const answer = useAnswer(getOrderStory, question);
  const order = useAnswer(getOrder, question);
  const { actsOf, overlay } = useActs<OrderDetail>(pageActs, order.data === undefined ? undefined : [order.data], {
    list: listOrders,
    one: getOrder,
  });
  const askAgain = useAskAgain(getOrderStory, question, refetchGapMs);
  const askOrder = useAskAgain(getOrder, question, refetchGapMs);
  useConsoleEvents('order-changed', (event) => {
    if (event.orderId !== id) return;
    askAgain();
    askOrder();
  });
  useConsoleEvents('station-changed', ({ stationId }) => {
    if (order.data?.stationId !== stationId) return;
    askAgain();
    askOrder();
  });
  const name = answer.data?.subject.name;
  const title = name === undefined ? undefined : phrase('stories.orderTitle', { name });
  useTabTitle(title);
  return (
    <StoryFrame answer={answer} list={list()}>
      {(story) => (
        <>
          <StoryView
            story={story}
            title={title ?? ''}
            own={order.data === undefined ? [] : actsOf(order.data)}
            refetch={() => void answer.refetch()}
            isFetching={answer.isFetching}
          />
          {overlay}
        </>
      )}
    </StoryFrame>
  );
}
