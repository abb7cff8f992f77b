import { findAgents } from '@voltdeck/contract/agents';
import { getCard, listCards } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { getDivider, listDividers } from '@voltdeck/contract/dividers';
import { getGroup, listGroups } from '@voltdeck/contract/groups';
import { getPartner, listPartners } from '@voltdeck/contract/partners';
import { listPositions } from '@voltdeck/contract/positions';
import { getSite, listSites } from '@voltdeck/contract/sites';
import { getStation, listStations } from '@voltdeck/contract/stations';
import { getTariff, listTariffs } from '@voltdeck/contract/tariffs';
import { getUser, listUsers } from '@voltdeck/contract/users';
import type {
  AgentId,
  CardId,
  CustomerId,
  DividerId,
  GroupId,
  PartnerId,
  PositionId,
  SiteId,
  StationId,
  TariffId,
  UserId,
} from '@voltdeck/units/id';
import { call } from '../../api/call.ts';
import { Refused } from '../../api/refused.ts';
import type { RecordChoices, RecordKind } from './list-view.ts';

/** Maximum number of suggestions; nobody reads more. */
const choicesMax = 20;

/** A record that is gone or not visible to this user has no name; the filter then shows its number. */
async function nameOrNull(ask: Promise<{ name: string }>): Promise<string | null> {
  try {
    return (await ask).name;
  } catch (failure) {
    if (failure instanceof Refused) return null;
    throw failure;
  }
}

const siteChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listSites, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name }) => ({ value: String(id), label: name }));
  },
  nameOf: (value, signal) =>
    nameOrNull(call(getSite, { params: { id: Number(value) as SiteId }, signal, quiet: true })),
};

const stationChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listStations, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name, number }) => ({ value: String(id), label: `${name} · ${number}` }));
  },
  nameOf: (value, signal) =>
    nameOrNull(call(getStation, { params: { id: Number(value) as StationId }, signal, quiet: true })),
};

const agentChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(findAgents, { query: { name: text }, signal });
    return items.slice(0, choicesMax).map(({ id, name }) => ({ value: String(id), label: name }));
  },
  nameOf: async (value, signal) => {
    const id = Number(value) as AgentId;
    const { items } = await call(findAgents, { query: { id }, signal, quiet: true });
    return items[0]?.name ?? null;
  },
};

const tariffChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listTariffs, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name }) => ({ value: String(id), label: name }));
  },
  nameOf: (value, signal) =>
    nameOrNull(call(getTariff, { params: { id: Number(value) as TariffId }, signal, quiet: true })),
};

const userChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listUsers, { query: { text, pageSize: choicesMax }, signal });
    return items.map(({ id, realName, userName }) => ({ value: String(id), label: `${realName} · ${userName}` }));
  },
  nameOf: (value, signal) =>
    nameOrNull(
      call(getUser, { params: { id: Number(value) as UserId }, signal, quiet: true }).then(({ realName }) => ({
        name: realName,
      })),
    ),
};

const positionChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listPositions, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name }) => ({ value: String(id), label: name }));
  },
  // Users who may list positions may not be allowed to read a single one.
  nameOf: async (value, signal) => {
    const { items } = await call(listPositions, { query: { pageSize: 100 }, signal, quiet: true });
    return items.find(({ id }) => id === (Number(value) as PositionId))?.name ?? null;
  },
};

const cardChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listCards, { query: { number: text, pageSize: choicesMax }, signal });
    return items.map(({ id, number }) => ({ value: String(id), label: number }));
  },
  nameOf: (value, signal) =>
    nameOrNull(
      call(getCard, { params: { id: Number(value) as CardId }, signal, quiet: true }).then(({ number }) => ({
        name: number,
      })),
    ),
};

const customerChoices: RecordChoices = {
  search: async (text, signal) => {
    const query = /^\d+$/.test(text) ? { phone: text } : { nickname: text };
    const { items } = await call(listCustomers, { query: { ...query, pageSize: choicesMax }, signal });
    return items.map(({ id, nickname, phone }) => ({ value: String(id), label: `${nickname} · ${phone}` }));
  },
  nameOf: (value, signal) =>
    nameOrNull(
      call(getCustomer, { params: { id: Number(value) as CustomerId }, signal, quiet: true }).then(({ nickname }) => ({
        name: nickname,
      })),
    ),
};

const dividerChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listDividers, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name, agentName }) => ({
      value: String(id),
      label: agentName === null ? name : `${name} · ${agentName}`,
    }));
  },
  nameOf: (value, signal) =>
    nameOrNull(call(getDivider, { params: { id: Number(value) as DividerId }, signal, quiet: true })),
};

const groupChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listGroups, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name }) => ({ value: String(id), label: name }));
  },
  nameOf: (value, signal) =>
    nameOrNull(call(getGroup, { params: { id: Number(value) as GroupId }, signal, quiet: true })),
};

const partnerChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listPartners, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name, operatorId }) => ({ value: String(id), label: `${name} · ${operatorId}` }));
  },
  nameOf: (value, signal) =>
    nameOrNull(call(getPartner, { params: { id: Number(value) as PartnerId }, signal, quiet: true })),
};

/** Where the records come from that filters and forms choose from. */
export const recordSources = {
  site: siteChoices,
  station: stationChoices,
  agent: agentChoices,
  tariff: tariffChoices,
  user: userChoices,
  position: positionChoices,
  card: cardChoices,
  customer: customerChoices,
  divider: dividerChoices,
  group: groupChoices,
  partner: partnerChoices,
} satisfies Record<RecordKind, RecordChoices>;
