import type { StationCommand } from '@voltdeck/charging/station-command';
import type { GroupMember } from '@voltdeck/contract/group-members';
import type { Group } from '@voltdeck/contract/groups';
import type { Order } from '@voltdeck/contract/orders';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { expect } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import type { Answer, Ask, TestApi } from '../http/test-api.ts';
import { balanceOf, makePlace, type Place } from '../http/test-records.ts';

export type GroupBench = ReturnType<typeof groupBench>;

/** Noon in China. */
export const noon = instant(Date.parse('2026-11-21T04:00:00Z'));

/** What tests of groups do again and again. */
export function groupBench(api: TestApi) {
  let made = 0;
  const next = () => {
    made += 1;
    return made;
  };

  async function addGroup(body: Record<string, unknown> = {}, ask: Ask = {}): Promise<Group> {
    const serial = next();
    const given = { name: `Fleet ${serial}`, contact: 'Li Lei', contactPhone: '13800000000', ...body };
    const added = await api.post<Group>('/groups', given, ask);
    expect(added.envelope.message).toMatchObject({ status: 200 });
    return added.data;
  }

  /** A place with a connected station whose ports are free, and its customer. */
  async function addPlace(agentId: Place['agentId'] = null): Promise<Place & { asked: StationCommand[] }> {
    const place = await makePlace(api.database, agentId, `g${next()}`);
    const { db } = api.database;
    await db.updateTable('stations').set({ online: true }).where('id', '=', place.stationId).execute();
    await db.updateTable('connectors').set({ state: 'free' }).where('station_id', '=', place.stationId).execute();
    const asked: StationCommand[] = [];
    playHolder(api.context.bus, place.stationNumber, async (command) => {
      asked.push(command);
      return { kind: 'accepted' };
    });
    return { ...place, asked };
  }

  async function name(group: Group, phone: string, more: Record<string, unknown> = {}): Promise<GroupMember> {
    const named = await api.post<GroupMember>('/group-bindings', { groupId: group.id, customerPhone: phone, ...more });
    expect(named.envelope.message).toMatchObject({ status: 200 });
    return named.data;
  }

  const review = (id: number, decision: string, opinion?: string) =>
    api.post<GroupMember>(`/group-bindings/${id}/reviews`, { decision, ...(opinion === undefined ? {} : { opinion }) });

  async function bind(group: Group, phone: string, more: Record<string, unknown> = {}): Promise<GroupMember> {
    const { id } = await name(group, phone, more);
    const agreed = await review(id, 'agree');
    expect(agreed.data).toMatchObject({ state: 'bound' });
    return agreed.data;
  }

  const recharge = async (group: Group, amountFen: number) => {
    const recharged = await api.post<{ id: number }>(`/groups/${group.id}/recharges`, { amountFen });
    expect(recharged.envelope.message).toMatchObject({ status: 200 });
    return recharged.data;
  };

  const charge = (place: Place, more: Record<string, unknown> = {}) =>
    api.post<Order>(
      '/orders',
      { connectorId: place.connectorId, customerPhone: place.phone, ...more },
      { language: 'en' },
    );

  /** A placed order that delivers energy, and is settled by hand for it. */
  async function settle(orderId: OrderId, energyWh: number, at: Instant = api.clock.now ?? noon): Promise<Answer> {
    const startedAt = instant(at - 30 * minuteMs);
    await api.database.db
      .updateTable('orders')
      .set({ state: 'charging', started_at: startedAt, begun_at: startedAt, meter_start_wh: 0 as never })
      .where('id', '=', orderId)
      .where('state', '=', 'placed')
      .execute();
    const settled = await api.post(`/orders/${orderId}/settlements`, {
      energyWh,
      endedAt: toIso(at),
      reason: 'read at the station',
    });
    expect(settled.envelope.message).toMatchObject({ status: 200 });
    return settled;
  }

  const groupOf = async ({ id }: Group) => (await api.get<Group>(`/groups/${id}`)).data;
  const memberOf = async ({ id }: GroupMember) => (await api.get<GroupMember>(`/group-bindings/${id}`)).data;

  /** Everything of a wallet in the books. */
  const wholeOf = async (wallet: string, id: number) => {
    const parts = ['', '-held', '-gift', '-gift-held'].map((part) => balanceOf(api.database, `${wallet}${part}:${id}`));
    return fen((await Promise.all(parts)).reduce((sum, part) => sum + part, 0));
  };

  return { addGroup, addPlace, name, review, bind, recharge, charge, settle, groupOf, memberOf, wholeOf };
}

export const errorOf = ({ envelope }: Answer) => envelope.message.error;
