import { cardStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { idField, idParameter, instantField, shown } from './fields.ts';
import { route } from './route.ts';
import { startedTask } from './station-commands.ts';

/**
 * Whether a station holds a card in the list with which it charges while it is offline: as it should, not yet, or still
 * although the card must no longer charge.
 */
export const offlineListStates = ['missing', 'to_clear', 'stored'] as const;
export type OfflineListState = (typeof offlineListStates)[number];

/** Rows of an answer; what is out of order comes first. */
export const offlineListRowsMax = 200;

const counts = { storedCount: z.int(), missingCount: z.int(), toClearCount: z.int() };

export const getCardStations = route({
  method: 'GET',
  path: '/cards/{id}/stations',
  summary: 'Which stations hold a card for charges while they are offline, and which should',
  permission: 'card.read',
  params: z.object({ id: idParameter<'card'>() }),
  answer: z.object({
    /** It is an offline card in use: it belongs into the list of every station of its agent that keeps one. */
    isWanted: z.boolean(),
    ...counts,
    stations: z.array(
      z.object({
        id: idField<'station'>(),
        number: z.string(),
        name: z.string(),
        siteName: z.string(),
        online: z.boolean(),
        state: z.enum(offlineListStates),
        /** When the station confirmed that it has it. */
        givenAt: z.nullable(instantField),
      }),
    ),
  }),
  errors: [],
});

export const getStationCards = route({
  method: 'GET',
  path: '/stations/{id}/cards',
  summary: 'Which cards a station holds for charges while it is offline, and which it should',
  permission: 'station.read',
  params: z.object({ id: idParameter<'station'>() }),
  answer: z.object({
    /** Whether its protocol has such a list. */
    keepsList: z.boolean(),
    ...counts,
    cards: z.array(
      z.object({
        id: idField<'card'>(),
        cardNumber: shown.card(),
        cardState: z.enum(cardStates),
        state: z.enum(offlineListStates),
        givenAt: z.nullable(instantField),
      }),
    ),
  }),
  errors: [],
});

export const syncCardStations = route({
  method: 'POST',
  path: '/cards/{id}/station-syncs',
  summary: 'Give a card to every station that lacks it, or take it from every station that must not have it',
  permission: 'station.command',
  params: z.object({ id: idParameter<'card'>() }),
  answer: startedTask,
  errors: ['card.in_sync', 'task.too_many', 'station.none_has_command'],
});
