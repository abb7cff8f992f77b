import * as contract from '@voltdeck/contract/stories';
import type { SessionId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { findCustomerStory } from './find-customer-story.ts';
import { findOrderStory } from './find-order-story.ts';
import { findStationStory } from './find-station-story.ts';
import type { Listener } from './telling.ts';

export function bindStories({ bind }: Binder, { database: { db }, secrets }: Context<'console'>): void {
  const listenerOf = ({ caller, sessionId, at }: { caller: Caller; sessionId: SessionId; at: Instant }): Listener => ({
    db,
    secrets,
    caller,
    sessionId,
    now: at,
  });
  bind(contract.getOrderStory, async (call) => found(await findOrderStory(listenerOf(call), call.params.id)));
  bind(contract.getStationStory, async (call) =>
    found(await findStationStory(listenerOf(call), call.params.id, call.query)),
  );
  bind(contract.getCustomerStory, async (call) =>
    found(await findCustomerStory(listenerOf(call), call.params.id, call.query)),
  );
}
