/** The four price periods, in the order in which tariffs list them (尖 峰 平 谷). */
export const stationPeriods = ['sharp', 'peak', 'flat', 'valley'] as const;
export type StationPeriod = (typeof stationPeriods)[number];

/** A tariff that a self-pricing station can run: four prices and the period of each half hour of the day. */
export type StationTariff = {
  /** Four digits. */
  version: string;
  /** In 1e-5 yuan per kWh. */
  prices: Readonly<Record<StationPeriod, { electricityE5: number; serviceE5: number }>>;
  /** 48, from 00:00 local time. */
  slots: readonly StationPeriod[];
};

/** A charge by the station's own account, unchanged. */
export type StationBill = {
  /** Those that the station listed, with or without energy. */
  periods: readonly StationBillPeriod[];
  /** In tenths of a Wh, the finest unit of any protocol (1e-4 kWh). */
  energyTenthsWh: number;
  /** In 1e-4 yuan. */
  amountE4: number;
  /** The lifetime register at both ends, in tenths of a Wh. */
  meterStartTenthsWh: number;
  meterStopTenthsWh: number;
};

export type StationBillPeriod = {
  period: StationPeriod;
  energyTenthsWh: number;
  /** Electricity and service together, in 1e-5 yuan per kWh. */
  priceE5: number;
  /** In 1e-4 yuan. */
  amountE4: number;
};
