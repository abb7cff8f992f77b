import { getStation, listStations, type StationDetail } from '@voltdeck/contract/stations';
import { getStationStory } from '@voltdeck/contract/stories';
import type { StationId } from '@voltdeck/units/id';
import { secondMs } from '@voltdeck/units/instant';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { stationActs } from '../stations/station-acts.ts';
import { useActs } from '../ui/list/use-acts.tsx';
import { useTabTitle } from '../ui/tab-title.ts';
import { NoStory, StoryFrame } from './StoryFrame.tsx';
import { StoryHours, useStoryHours } from './StoryHours.tsx';
import { StoryView } from './StoryView.tsx';
import { withStory } from './with-story.ts';

const refetchGapMs = 5 * secondMs;
/** The first is what the server tells when nothing is chosen. */
const hoursOffered = [6, 1, 12, 24, 48] as const;

const list = () => ({ screen: 'deviceList', name: phrase('menu.deviceList') }) as const;
const pageActs = withStory(stationActs<StationDetail>(), getStationStory);

/** What happened at a station in the last hours; /stationStory?id=. */
export default function StationStoryPage() {
  const id = useRecordId<StationId>();
  return id === null ? <NoStory list={list()} /> : <StoryOf key={id} id={id} />;
}

function StoryOf({ id }: { id: StationId }) {
  const { hours, period } = useStoryHours(hoursOffered);
  const question = { params: { id }, query: period };
  const answer = useAnswer(getStationStory, question, { keepPrevious: true });
  const station = useAnswer(getStation, { params: { id } });
  const { actsOf, overlay } = useActs<StationDetail>(
    pageActs,
    station.data === undefined ? undefined : [station.data],
    { list: listStations, one: getStation },
  );
  const askAgain = useAskAgain(getStationStory, question, refetchGapMs);
  const askStation = useAskAgain(getStation, { params: { id } }, refetchGapMs);
  const hear = (event: { stationId: number | null }) => {
    if (event.stationId !== id) return;
    askAgain();
    askStation();
  };
  useConsoleEvents('station-changed', hear);
  useConsoleEvents('connector-changed', hear);
  const name = answer.data?.subject.name;
  const title = name === undefined ? undefined : phrase('stories.stationTitle', { name });
  useTabTitle(title);
  return (
    <StoryFrame answer={answer} list={list()}>
      {(story) => (
        <>
          <StoryView
            story={story}
            title={title ?? ''}
            own={station.data === undefined ? [] : ownActs(actsOf(station.data), station.data)}
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

/** One act enables and disables. */
function ownActs<Act extends { key: string }>(acts: readonly Act[], { enabled }: StationDetail): Act[] {
  return acts.map((act) => (act.key === 'enable' && enabled ? { ...act, key: 'disable' } : act));
}
