import type { Vehicle } from '@voltdeck/contract/vehicles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';
import { takenVehiclesPerDayMax } from './check-vehicle.ts';

let api: TestApi;
let place: Place;
beforeAll(async () => {
  api = await openTestApi();
  place = await makePlace(api.database, null, 'vehicles');
});
afterAll(() => api.close());

const form = (given: Record<string, unknown> = {}) => ({
  vin: 'lsvam4187c2184847',
  cardNumber: place.cardNumber,
  plate: '浙a12345',
  ...given,
});
const faultsOf = async (body: unknown) => {
  const answer = await api.post('/vehicles', body);
  return answer.envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);
};

describe('a vehicle that pays by being recognised', () => {
  test('a vehicle is registered with a card once, found, audited and removed', async () => {
    const made = await api.post<Vehicle>('/vehicles', form());
    expect(made.data).toMatchObject({
      vin: 'LSVAM4187C2184847',
      plate: '浙A12345',
      cardId: place.cardId,
      cardNumber: place.cardNumber,
    });
    expect(await faultsOf(form())).toEqual(['vin taken', 'plate taken']);
    for (const filter of ['vin=2184847', 'plate=A123', `cardNumber=${place.cardNumber.toLowerCase()}`]) {
      expect((await api.get(`/vehicles?${filter}`)).data).toMatchObject({ total: 1, items: [{ id: made.data.id }] });
    }
    expect((await api.get('/vehicles?plate=B')).data).toMatchObject({ total: 0 });
    expect((await api.ask('DELETE', `/vehicles/${made.data.id}`)).status).toBe(200);
    expect((await api.ask('DELETE', `/vehicles/${made.data.id}`)).status).toBe(404);
    expect((await api.get('/vehicles')).data).toMatchObject({ total: 0 });
    const log = await api.get<{ items: { action: string }[] }>('/audit-entries?recordKind=vehicle');
    expect(log.data.items.map(({ action }) => action)).toEqual(['vehicle.delete', 'vehicle.create']);
  });

  test('a vehicle needs a valid VIN and an existing card', async () => {
    expect(await faultsOf(form({ vin: 'LSVAM4187C218484' }))).toEqual(['vin vin_format']);
    expect(await faultsOf(form({ vin: 'LSVAM4187C218484O' }))).toEqual(['vin vin_format']);
    expect(await faultsOf(form({ cardNumber: '0000000000000000' }))).toEqual(['cardNumber unknown_reference']);
  });

  test('of two vehicles that are given one plate at the same moment, the second is refused because it is taken', async () => {
    const made = await Promise.all(
      ['LSVAM4187C2184811', 'LSVAM4187C2184812'].map((vin) =>
        api.post<Vehicle>('/vehicles', form({ vin, plate: null })),
      ),
    );
    const changed = await Promise.all(
      made.map(({ data }) => api.ask('PATCH', `/vehicles/${data.id}`, { body: { plate: '浙A88888' } })),
    );
    expect(changed.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('a vehicle is changed in part, with its owner, and what others have is refused', async () => {
    const { data: first } = await api.post<Vehicle>('/vehicles', form({ vin: 'LSVAM4187C2184801', plate: '浙A00001' }));
    const { data: made } = await api.post<Vehicle>(
      '/vehicles',
      form({ vin: 'LSVAM4187C2184802', plate: '浙AD00002', usage: 'taxi', ownerPhone: place.phone }),
    );
    expect(made).toMatchObject({
      plate: '浙AD00002',
      usage: 'taxi',
      ownerName: 'Customer vehicles',
      ownerPhone: place.phone,
    });
    const change = (body: unknown) => api.ask<Vehicle>('PATCH', `/vehicles/${made.id}`, { body });
    expect((await change({ usage: 'bus' })).data).toMatchObject({
      vin: made.vin,
      usage: 'bus',
      ownerPhone: place.phone,
    });
    expect((await change({ plate: null, ownerPhone: null })).data).toMatchObject({ plate: null, ownerName: null });
    const faults = async (body: unknown) =>
      (await change(body)).envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);
    expect(await faults({ vin: first.vin, plate: first.plate })).toEqual(['vin taken', 'plate taken']);
    expect(await faults({ plate: '浙I00001' })).toEqual(['plate plate_format']);
    expect(await faults({ ownerPhone: '13999999999' })).toEqual(['ownerPhone unknown_reference']);
    expect((await change({ vin: made.vin, plate: '浙ａ·00009' })).data).toMatchObject({ plate: '浙A00009' });
    for (const query of ['usage=bus', 'plate=00009']) {
      expect((await api.get(`/vehicles?${query}`)).data).toMatchObject({ total: 1, items: [{ id: made.id }] });
    }
    const log = await api.get<{ items: { action: string }[] }>(`/audit-entries?recordKind=vehicle&recordId=${made.id}`);
    expect(log.data.items.filter(({ action }) => action === 'vehicle.change')).toHaveLength(3);
  });

  test('an agent learns of twenty taken vehicles a day, and then cannot tell taken from free', async () => {
    const agentId = await api.addAgent('prober');
    const own = await makePlace(api.database, agentId, 'prober');
    const { token } = await api.addUser({ name: 'prober', permissions: ['vehicle.edit'], scope: 'agent', agentId });
    const foreign = form({ vin: 'LSVAM4187C2184891', plate: '浙A00091' });
    await api.post('/vehicles', foreign);
    const ask = (method: 'POST' | 'PATCH', path: string, body: object) =>
      api.ask<Vehicle>(method, path, { body, token });
    const add = (body: object) => ask('POST', '/vehicles', { ...body, cardNumber: own.cardNumber });
    const made = await add({ vin: 'LSVAM4187C2184892' });
    const path = `/vehicles/${made.data.id}`;
    for (let index = 0; index < takenVehiclesPerDayMax; index += 2) {
      expect((await add({ vin: foreign.vin })).status).toBe(422);
      expect((await ask('PATCH', path, { plate: foreign.plate })).status).toBe(422);
    }
    for (const refused of [
      await add({ vin: foreign.vin }),
      await add({ vin: 'LSVAM4187C2184893' }),
      await ask('PATCH', path, { plate: foreign.plate }),
      await ask('PATCH', path, { plate: '浙A00093' }),
    ]) {
      expect(refused.envelope.message.error).toBe('request.too_many');
    }
    expect((await ask('PATCH', path, { usage: 'bus' })).data).toMatchObject({ usage: 'bus' });
    for (let index = 0; index <= takenVehiclesPerDayMax; index += 1) {
      expect(await faultsOf(foreign)).toEqual(['vin taken', 'plate taken']);
    }
  });

  test('an agent that asks at once, or for VIN and plate together, learns of no more than twenty', async () => {
    const agentId = await api.addAgent('hurried');
    const own = await makePlace(api.database, agentId, 'hurried');
    const foreign = form({ vin: 'LSVAM4187C2184894', plate: '浙A00094' });
    await api.post('/vehicles', foreign);
    const learned = async (name: string, body: object) => {
      const { token } = await api.addUser({ name, permissions: ['vehicle.edit'], scope: 'agent', agentId });
      const answers = await Promise.all(
        Array.from({ length: 2 * takenVehiclesPerDayMax }, () =>
          api.post('/vehicles', { ...body, cardNumber: own.cardNumber }, { token }),
        ),
      );
      return answers.flatMap(({ envelope }) => envelope.message.fields ?? []).length;
    };
    expect(await learned('hurried', { vin: foreign.vin })).toBe(takenVehiclesPerDayMax);
    expect(await learned('thorough', { vin: foreign.vin, plate: foreign.plate })).toBe(takenVehiclesPerDayMax);
  });

  test('a vehicle that several people delete at once is deleted once, and the audit log says so once', async () => {
    const { data: made } = await api.post<Vehicle>('/vehicles', form({ vin: 'LSVAM4187C2184895', plate: null }));
    const removed = await Promise.all(Array.from({ length: 4 }, () => api.ask('DELETE', `/vehicles/${made.id}`)));
    expect(removed.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    const log = await api.get<{ items: { action: string }[] }>(`/audit-entries?recordKind=vehicle&recordId=${made.id}`);
    expect(log.data.items.map(({ action }) => action)).toEqual(['vehicle.delete', 'vehicle.create']);
  });
});
