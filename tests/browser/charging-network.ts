import type { Api, TariffForm } from '@voltdeck/journeys/api';
import { libraryStation } from '@voltdeck/journeys/library-station';
import { until } from '@voltdeck/journeys/until';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { minuteMs } from '@voltdeck/units/instant';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { addNewcomer } from './newcomer.ts';
import { beginCharge, type NetworkStation, tellStatus } from './told-charge.ts';

/**
 * A small network on a real server: free, charging, faulty and offline stations, an unregistered one, and an order of
 * every kind. All of it was created through sockets and the API, as in real life.
 */
export type ChargingNetwork = {
  database: Database;
  product: HostedProduct;
  api: Api;
  /** Charging at its first gun port, with a fault at its second. */
  charging: NetworkStation;
  /** Free and waiting for orders. */
  free: NetworkStation;
  offline: { id: number; number: string };
  /** Of the stations that are connected. */
  siteId: number;
  /** The billing rule of every station. */
  tariffId: number;
  orders: {
    running: OrderName;
    completed: OrderName;
    refunded: OrderName;
    cancelled: OrderName;
    /** Its meter ran backwards. */
    abnormal: OrderName;
    /** Its meter reported more than the station can deliver, so nothing is charged until a person settles it. */
    waiting: OrderName;
  };
  /** A command for all stations, which one of them got. */
  commands: { id: number };
  /** A rehearsal of the rule over all charges so far. */
  rehearsal: { id: number };
  priceChange: { id: number; name: string };
  end(): Promise<void>;
};

export type OrderName = { id: number; number: string };

const tariff: TariffForm = {
  name: '工商业分时电价（含服务费）',
  kind: 'energy',
  prices: {
    sharp: { electricity: 120_000, service: 60_000 },
    peak: { electricity: 100_000, service: 50_000 },
    flat: { electricity: 70_000, service: 40_000 },
    valley: { electricity: 30_000, service: 30_000 },
  },
  slots: [
    { start: '00:00', end: '08:00', period: 'valley' },
    { start: '08:00', end: '12:00', period: 'peak' },
    { start: '12:00', end: '19:00', period: 'flat' },
    { start: '19:00', end: '22:00', period: 'sharp' },
    { start: '22:00', end: '24:00', period: 'flat' },
  ],
};

/** Names of the maximum length show what breaks on a phone. */
const sites = [
  {
    name: '西湖文化广场地下二层新能源汽车充电示范站（环城北路入口）',
    address: '浙江省杭州市拱墅区环城北路西湖文化广场 E 区地下停车场二层 B2-017 至 B2-064 号车位',
    regionCode: '330105',
    longitude: 120.163,
    latitude: 30.276,
  },
  {
    name: 'Shenzhen Bay Innovation and Technology Centre car park P3',
    address: '3156 Keyuan South Road, Nanshan District, Shenzhen, Guangdong',
    regionCode: '440305',
    longitude: 113.944,
    latitude: 22.518,
  },
] as const;

/** @throws Error when the server does not start or refuses a request. */
export async function startNetwork(): Promise<ChargingNetwork> {
  const database = await freshDatabase();
  const product = await hostedProduct(database.url);
  await addNewcomer(database);
  const api = await product.signIn();
  const tariffId = await api.createTariff(tariff);
  const [hangzhouId = 0, shenzhenId = 0] = await Promise.all(
    sites.map(async (site) => {
      const form = { ...site, parkingFee: 'free', invoiceAvailable: true };
      return (await api.post<{ id: number }>('/sites', form)).id;
    }),
  );
  const add = async (number: string, name: string, siteId: number, ports: number) => {
    const { id, password } = await api.post<{ id: number; password: string }>('/stations', {
      number,
      name,
      type: 'fast',
      equipmentType: 'four-wheel',
      protocol: 'ocpp1.6',
      siteId,
      connectorCount: ports,
      maxPowerKw: 120,
      cardTariffId: tariffId,
      wechatTariffId: tariffId,
    });
    return { id, number, password };
  };
  const connect = async (added: { id: number; number: string; password: string }, cardNumber: string) => {
    await api.createCard(cardNumber, 100_000);
    const station = await libraryStation(product.ocppUrl, added);
    await station.call('BootNotification', {
      chargePointVendor: 'Lakeside',
      chargePointModel: 'L120',
      chargePointSerialNumber: `SN-${added.number}`,
      firmwareVersion: '4.2.0',
    });
    return { id: added.id, number: added.number, cardNumber, station };
  };

  const charging = await connect(await add('HZ-XHWH-0001', '西湖 1 号桩', hangzhouId, 2), '00000000000000B1');
  const free = await connect(await add('HZ-XHWH-0002', '西湖 2 号桩', hangzhouId, 2), '00000000000000B2');
  const offline = await add('SZ-BAY-0001', 'Bay station one', shenzhenId, 4);
  await api.createCustomer('13900000001', 5_000);

  await tellStatus(charging, 2, 'Faulted', { errorCode: 'GroundFailure', info: 'residual current 38 mA' });
  for (const port of [1, 2]) await tellStatus(free, port, 'Available');
  const ended = async (minutesAgo: number, minutes: number, fallsWh = 0) => {
    const charge = await beginCharge(api, free, { minutesAgo, minutes });
    await charge.stop(minutes + 2, fallsWh);
    return charge.order;
  };
  const completed = await ended(1_500, 45);
  const refunded = await ended(300, 30);
  const abnormal = await ended(200, 20, 9_000);
  const waiting = await ended(100, 20, -900_000);
  const running = (await beginCharge(api, charging, { minutesAgo: 40, minutes: 35 })).order;
  await api.post(`/orders/${refunded.id}/refunds`, { amountFen: 500, reason: '充电枪接触不良，已与用户协商' });
  const [port] = await api.connectorsOf(free.id);
  const cancelled = await api.post<OrderName>('/orders', { connectorId: port?.id, cardNumber: free.cardNumber });
  await api.post(`/orders/${cancelled.id}/cancellations`);

  const stranger = libraryStation(product.ocppUrl, { number: 'STRANGER-0001', password: 'nobody-knows-me-16' });
  const isRefused = await stranger.then(
    () => false,
    () => true,
  );
  if (!isRefused) throw new Error('an unregistered station was let in');
  await until('the stranger is listed', async () => {
    return (await api.get<{ total: number }>('/unknown-stations')).total === 1;
  });

  const stationIds = [charging.id, free.id, offline.id];
  const { taskId } = await api.post<{ taskId: number }>('/station-commands', { kind: 'clear-cache', stationIds });
  const commands = await until('the command for many has been sent', async () => {
    const task = await api.get<{ id: number; state: string }>(`/tasks/${taskId}`);
    return task.state === 'done' ? task : null;
  });

  const rehearsal = await api.post<{ id: number }>('/rehearsals', {
    tariffId,
    from: new Date(Date.now() - 30 * 86_400_000).toISOString(),
    to: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await until('the rehearsal is done', async () => {
    return (await api.get<{ state: string }>(`/tasks/${rehearsal.id}`)).state === 'done';
  });
  const priceChange = await api.post<{ id: number; name: string }>('/price-changes', {
    name: '元旦调价',
    by: 'stations',
    stationIds,
    ruleId: tariffId,
    effectiveAt: new Date(Date.now() + 86_400_000).toISOString(),
  });

  // A conversation shows the last quarter of an hour, and what uses a network may take longer.
  const lively = setInterval(() => {
    const sampledValue = [{ value: '230.0', measurand: 'Voltage', unit: 'V' }];
    const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }];
    charging.station.call('MeterValues', { connectorId: 2, meterValue }).catch(() => undefined);
  }, 5 * minuteMs);

  return {
    database,
    product,
    api,
    charging,
    free,
    offline: { id: offline.id, number: offline.number },
    siteId: hangzhouId,
    tariffId,
    orders: {
      running,
      completed,
      refunded,
      cancelled,
      abnormal,
      waiting,
    },
    commands,
    rehearsal,
    priceChange,
    async end() {
      clearInterval(lively);
      await charging.station.close();
      await free.station.close();
      await product.stop();
    },
  };
}
