import type { Coupon, giveCoupon } from '@voltdeck/contract/coupons';
import type { AnswerOf } from '@voltdeck/contract/route';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { makePlace } from '../../http/test-records.ts';

type Given = AnswerOf<typeof giveCoupon>;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const form = { name: 'Welcome', kind: 'amount', amountFen: 300, bearer: 'platform' };
const shownAs = async (id: number) =>
  (await api.get<{ items: Coupon[] }>('/coupons')).data.items.find((coupon) => coupon.id === id);

describe('coupons', () => {
  test('a coupon is defined, given to people by phone or to all, counted, and stopped for good', async () => {
    const first = await makePlace(api.database, null, 'coupon one');
    const second = await makePlace(api.database, null, 'coupon two');
    const { data: made } = await api.post<Coupon>('/coupons', { ...form, siteIds: [first.siteId], budgetFen: 9_000 });
    expect(made).toMatchObject({ amountFen: 300, percent: null, siteNames: 'Site coupon one', given: 0, usedFen: 0 });
    const phones = [first.phone, second.phone, '13999999999'];
    const given = await api.post<Given>(`/coupons/${made.id}/gifts`, { phones }, { key: 'once' });
    expect(given.data).toEqual({ given: 2, unknown: [{ phone: '13999999999' }] });
    expect((await api.post<Given>(`/coupons/${made.id}/gifts`, { phones }, { key: 'once' })).data.given).toBe(2);
    expect(await shownAs(made.id)).toMatchObject({ given: 2, used: 0 });
    expect((await api.post<Given>(`/coupons/${made.id}/gifts`, { all: true })).data.given).toBe(2);
    expect((await api.post<Coupon>(`/coupons/${made.id}/stops`)).data.stoppedAt).toEqual(expect.any(String));
    for (const path of ['stops', 'gifts']) {
      const again = await api.post(`/coupons/${made.id}/${path}`, path === 'gifts' ? { all: true } : undefined);
      expect(again.envelope.message).toMatchObject({ status: 409, error: 'coupon.stopped' });
    }
  });

  test('a coupon names the amount or the percentage that it takes off, known sites and a period that ends', async () => {
    const faults = async (body: object) =>
      (await api.post('/coupons', body)).envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);
    expect(await faults({ ...form, amountFen: undefined })).toEqual(['amountFen required']);
    expect(await faults({ ...form, kind: 'percent' })).toEqual(['percent required']);
    expect(await faults({ ...form, siteIds: [987_654] })).toEqual(['siteIds unknown_reference']);
    const period = { from: '2026-11-21T00:00:00Z', to: '2026-11-20T00:00:00Z' };
    expect((await api.post('/coupons', { ...form, ...period })).envelope.message.error).toBe('coupon.period_invalid');
  });
});
