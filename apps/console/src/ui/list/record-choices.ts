import { listAgents } from '@voltdeck/contract/agents';
import { listPositions } from '@voltdeck/contract/positions';
import { getSite, listSites } from '@voltdeck/contract/sites';
import { getStation, listStations } from '@voltdeck/contract/stations';
import { getTariff, listTariffs } from '@voltdeck/contract/tariffs';
import { getUser, listUsers } from '@voltdeck/contract/users';
import type { AgentId, PositionId, SiteId, StationId, TariffId, UserId } from '@voltdeck/units/id';
import { call } from '../../api/call.ts';
import { Refused } from '../../api/refused.ts';
import type { Choice } from '../list-page.ts';

/** What a field offers while one types; a longer list is not read anyway. */
const choicesMax = 20;

export type RecordChoices = {
  search: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
  nameOf: (value: string, signal: AbortSignal) => Promise<string | null>;
};

/** A record that is gone, or not this user's to see, has no name; the filter then shows its number. */
async function nameOrNull(ask: Promise<{ name: string }>): Promise<string | null> {
  try {
    return (await ask).name;
  } catch (failure) {
    if (failure instanceof Refused) return null;
    throw failure;
  }
}

export const siteChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listSites, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name }) => ({ value: String(id), label: name }));
  },
  nameOf: (value, signal) =>
    nameOrNull(call(getSite, { params: { id: Number(value) as SiteId }, signal, quiet: true })),
};

export const stationChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listStations, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name, number }) => ({ value: String(id), label: `${name} · ${number}` }));
  },
  nameOf: (value, signal) =>
    nameOrNull(call(getStation, { params: { id: Number(value) as StationId }, signal, quiet: true })),
};

export const agentChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listAgents, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name }) => ({ value: String(id), label: name }));
  },
  // Agents are few and have no address of their own yet: the list is asked.
  nameOf: async (value, signal) => {
    const { items } = await call(listAgents, { query: { pageSize: 100 }, signal, quiet: true });
    return items.find(({ id }) => id === (Number(value) as AgentId))?.name ?? null;
  },
};

export const tariffChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listTariffs, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name }) => ({ value: String(id), label: name }));
  },
  nameOf: (value, signal) =>
    nameOrNull(call(getTariff, { params: { id: Number(value) as TariffId }, signal, quiet: true })),
};

export const userChoices: RecordChoices = {
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

export const positionChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(listPositions, { query: { name: text, pageSize: choicesMax }, signal });
    return items.map(({ id, name }) => ({ value: String(id), label: name }));
  },
  // Who may read users may list positions, and not read a single one.
  nameOf: async (value, signal) => {
    const { items } = await call(listPositions, { query: { pageSize: 100 }, signal, quiet: true });
    return items.find(({ id }) => id === (Number(value) as PositionId))?.name ?? null;
  },
};
