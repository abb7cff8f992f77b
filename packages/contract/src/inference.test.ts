import { expectTypeOf, test } from 'vitest';
import type { listOrders, Order } from './orders.ts';
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from './route.ts';
import type { changeSite } from './sites.ts';
import type { createStation, listStations } from './stations.ts';

test('the client’s types come from the routes', () => {
  expectTypeOf<AnswerOf<typeof listOrders>['items'][number]>().toEqualTypeOf<Order>();
  expectTypeOf<QueryOf<typeof listStations>['online']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<QueryOf<typeof listStations>['page']>().toEqualTypeOf<number>();
  expectTypeOf<BodyOf<typeof createStation>['connectorCount']>().toEqualTypeOf<number>();
  expectTypeOf<ParamsOf<typeof changeSite>>().not.toBeNever();
});
