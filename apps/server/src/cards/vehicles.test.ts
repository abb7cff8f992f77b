import type { Vehicle } from '@voltdeck/contract/vehicles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';

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
    expect(await faultsOf(form())).toEqual(['vin taken']);
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
    expect(await faultsOf(form({ vin: 'LSVAM4187C218484' }))).toEqual(['vin bad_format']);
    expect(await faultsOf(form({ vin: 'LSVAM4187C218484O' }))).toEqual(['vin bad_format']);
    expect(await faultsOf(form({ cardNumber: '0000000000000000' }))).toEqual(['cardNumber unknown_reference']);
  });
});
