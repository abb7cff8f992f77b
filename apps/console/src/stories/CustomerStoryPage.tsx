import { type Customer, getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { getCustomerStory } from '@voltdeck/contract/stories';
import type { CustomerId } from '@voltdeck/units/id';
import { secondMs } from '@voltdeck/units/instant';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { actsOfPage } from '../customers/customer-acts.tsx';
import { phrase } from '../phrases.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { useActs } from '../ui/list/use-acts.tsx';
import { useTabTitle } from '../ui/tab-title.ts';
import { NoStory, StoryFrame } from './StoryFrame.tsx';
import { StoryHours, useStoryHours } from './StoryHours.tsx';
import { StoryView } from './StoryView.tsx';
import { withStory } from './with-story.ts';

const refetchGapMs = 5 * secondMs;
/** Hours; the first is what the server tells when nothing is chosen. */
const hoursOffered = [168, 24, 720, 8_760] as const;

const list = () => ({ screen: 'registerUser', name: phrase('menu.registerUser') }) as const;
const pageActs = withStory(actsOfPage, getCustomerStory);

/** What happened to a registered user and their cards; /customerStory?id=. */
export default function CustomerStoryPage() {
  const id = useRecordId<CustomerId>();
  return id === null ? <NoStory list={list()} /> : <StoryOf key={id} id={id} />;
}

function StoryOf({ id }: { id: CustomerId }) {
  const { hours, period } = useStoryHours(hoursOffered);
  const question = { params: { id }, query: period };
  const answer = useAnswer(getCustomerStory, question, { keepPrevious: true });
  const customer = useAnswer(getCustomer, { params: { id } });
  const { actsOf, overlay } = useActs<Customer>(pageActs, customer.data === undefined ? undefined : [customer.data], {
    list: listCustomers,
    one: getCustomer,
  });
  const askAgain = useAskAgain(getCustomerStory, question, refetchGapMs);
  useConsoleEvents('order-changed', ({ orderId }) => {
    const isTold = answer.data?.entries.some(({ link }) => link?.to === 'order-story' && link.id === orderId);
    if (isTold === true) askAgain();
  });
  const name = answer.data?.subject.name;
  const title = name === undefined ? undefined : phrase('stories.customerTitle', { name });
  useTabTitle(title);
  return (
    <StoryFrame answer={answer} list={list()}>
      {(story) => (
        <>
          <StoryView
            story={story}
            title={title ?? ''}
            own={customer.data === undefined ? [] : actsOf(customer.data)}
            period={<StoryHours offered={hoursOffered} hours={hours} />}
            refetch={() => void answer.refetch()}
            isFetching={answer.isFetching}
          />
          {overlay}
        </>
      )}
    </StoryFrame>
  );
}
