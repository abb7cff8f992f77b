import type { Api, Order } from '@voltdeck/journeys/api';
import type { LibraryStation } from '@voltdeck/journeys/library-station';

const minuteMs = 60_000;
const meterStartWh = 5_000_000;
const powerW = 60_000;
const readEveryMinutes = 5;

export type NetworkStation = { id: number; number: string; cardNumber: string; station: LibraryStation };

export type RunningCharge = {
  order: Order;
  /** Sends the next meter reading, `minute` minutes after the start. */
  read(minute: number): Promise<void>;
  /** Ends the charge; the meter has lost `fallsWh` since its last reading. */
  stop(minute: number, fallsWh?: number): Promise<void>;
};

export async function tellStatus(
  { station }: Pick<NetworkStation, 'station'>,
  connectorId: number,
  status: string,
  fault: { errorCode: string; info?: string } = { errorCode: 'NoError' },
): Promise<void> {
  await station.call('StatusNotification', { connectorId, status, ...fault, timestamp: new Date().toISOString() });
}

/**
 * Starts a charge by card at port 1 with 60 kW, `minutesAgo` minutes ago, and sends readings every five minutes for
 * `minutes`.
 * @throws Error when the server has no order for it.
 */
export async function beginCharge(
  api: Api,
  { station, number, cardNumber }: NetworkStation,
  { minutesAgo, minutes }: { minutesAgo: number; minutes: number },
): Promise<RunningCharge> {
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - minutesAgo * minuteMs;
  const at = (minute: number) => new Date(startMs + minute * minuteMs).toISOString();
  const energyWh = (minute: number) => Math.round((powerW * minute) / 60);
  await station.call('Authorize', { idTag: cardNumber });
  const { transactionId } = await station.call('StartTransaction', {
    connectorId: 1,
    idTag: cardNumber,
    meterStart: meterStartWh,
    timestamp: at(0),
  });
  await tellStatus({ station }, 1, 'Charging');
  const read = async (minute: number) => {
    const sampledValue = [
      { value: String(meterStartWh + energyWh(minute)), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
      { value: String(powerW), measurand: 'Power.Active.Import', unit: 'W' },
      { value: '398.5', measurand: 'Voltage', unit: 'V' },
      { value: '150.6', measurand: 'Current.Import', unit: 'A' },
      { value: String(20 + Math.round(minute)), measurand: 'SoC', unit: 'Percent', location: 'EV' },
    ];
    await station.call('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [{ timestamp: at(minute), sampledValue }],
    });
  };
  for (let minute = readEveryMinutes; minute <= minutes; minute += readEveryMinutes) await read(minute);
  const order = (await api.ordersOf({ stationNumber: number })).find(({ startedAt }) => startedAt === at(0));
  if (order === undefined) throw new Error(`no order of ${number} began at ${at(0)}`);
  return {
    order,
    read,
    async stop(minute, fallsWh = 0) {
      await station.call('StopTransaction', {
        transactionId,
        idTag: cardNumber,
        meterStop: meterStartWh + energyWh(minute) - fallsWh,
        timestamp: at(minute),
        reason: 'Local',
      });
      await tellStatus({ station }, 1, 'Available');
    },
  };
}
