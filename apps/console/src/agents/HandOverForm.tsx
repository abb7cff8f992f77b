import {
  type Agent,
  getAgent,
  type HandOverPreview,
  handedSitesMax,
  handedStationsMax,
  handOverAgent,
  listAgents,
  previewHandOver,
} from '@voltdeck/contract/agents';
import { listConnectors } from '@voltdeck/contract/connectors';
import { getSite, listSites } from '@voltdeck/contract/sites';
import { getStation, listStations } from '@voltdeck/contract/stations';
import { useState } from 'react';
import * as z from 'zod/mini';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { countText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import type { RecordChoices } from '../ui/list/list-view.ts';
import { recordChoices } from '../ui/list/record-choices.ts';
import type { ActOutcome } from '../ui/list-page.ts';
import { RecordsSelect } from '../ui/RecordsSelect.tsx';
import { HandOverSummary } from './HandOverSummary.tsx';

const receivers = ['agent', 'platform'] as const;
const ways = ['everything', 'chosen'] as const;
const ownFields = { to: z.optional(z.enum(receivers)), what: z.enum(ways) };

type Props = { agent: Agent; open: boolean; onClose: () => void; onHanded: (outcome: ActOutcome) => void };

/** What the agent has, by part of its name, and who else may receive it. */
function choicesOf({ id: agentId }: Agent) {
  const site: Pick<RecordChoices, 'search'> = {
    search: async (name, signal) => {
      const { items } = await call(listSites, { query: { agentId, name }, signal });
      return items.map(({ id, name: label }) => ({ value: String(id), label }));
    },
  };
  const station: Pick<RecordChoices, 'search'> = {
    search: async (name, signal) => {
      const { items } = await call(listStations, { query: { agentId, name }, signal });
      return items.map(({ id, name: label, number }) => ({ value: String(id), label: `${label} · ${number}` }));
    },
  };
  const receiver: RecordChoices = {
    ...recordChoices.agent,
    search: async (text, signal) =>
      (await recordChoices.agent.search(text, signal)).filter(({ value }) => value !== String(agentId)),
  };
  return { site, station, receiver };
}

/** Hands sites and stations over, and says first what moves and what stays. */
export default function HandOverForm({ agent, open, onClose, onHanded }: Props) {
  const { user } = useSession();
  const isPlatform = user.dataScope === 'platform';
  const [preview, setPreview] = useState<HandOverPreview | null>(null);
  const choices = choicesOf(agent);
  const isChosen = ({ what }: { what?: (typeof ways)[number] | undefined }) => what === 'chosen';
  const isToAgent = ({ to }: { to?: (typeof receivers)[number] | undefined }) => to !== 'platform';
  return (
    <RouteForm
      danger
      route={handOverAgent}
      params={{ id: agent.id }}
      title={phrase('agents.handOverTitle', { name: agent.realName })}
      submitLabel={
        preview === null || preview.refusedCount > 0
          ? phrase('agents.handOver')
          : preview.stations === 0
            ? phrase('agents.handOverSites', { sites: countText(preview.sites) })
            : phrase('agents.handOverVerb', { stations: countText(preview.stations) })
      }
      own={ownFields}
      initial={{ to: 'agent', what: 'everything' }}
      fields={{
        // Only the platform takes them back.
        to: { label: 'agents.handTo', word: (to) => phrase(`agents.handTo.${to}`), shownIf: () => isPlatform },
        toAgentId: {
          label: 'agents.handToAgent',
          choices: choices.receiver,
          ...(isPlatform ? {} : { hint: 'agents.handToHint' as const }),
          shownIf: isToAgent,
          requiredIf: isToAgent,
        },
        what: { label: 'agents.handWhat', word: (what) => phrase(`agents.hand.${what}`) },
        siteIds: {
          label: 'agents.handSites',
          hint: 'agents.handSitesHint',
          shownIf: isChosen,
          control: <RecordsSelect choices={choices.site} max={handedSitesMax} />,
        },
        stationIds: {
          label: 'agents.handStations',
          hint: 'agents.handStationsHint',
          shownIf: isChosen,
          control: <RecordsSelect choices={choices.station} max={handedStationsMax} />,
        },
        reason: { label: 'agents.handReason', rows: 2 },
      }}
      adjust={(body) => ({ ...body, everything: (body as { what?: string }).what !== 'chosen' })}
      refreshes={[listAgents, getAgent, listSites, getSite, listStations, getStation, listConnectors, previewHandOver]}
      open={open}
      onClose={onClose}
      onSaved={({ handed, refusedCount, sites, stations }) =>
        onHanded(
          handed
            ? phrase('agents.handed', { sites: countText(sites), stations: countText(stations) })
            : { warning: phrase('agents.notHanded', { name: agent.realName, count: countText(refusedCount) }) },
        )
      }
    >
      {(values) => <HandOverSummary agent={agent} values={values} onPreview={setPreview} />}
    </RouteForm>
  );
}
