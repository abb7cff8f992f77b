import type { PartnerPriceSlot, PartnerSite } from '@voltdeck/charging/partner-site';
import { watts } from '@voltdeck/units/energy';
import { priceE5 } from '@voltdeck/units/money';
import type { BenchSettings } from './bench-settings.ts';

const place = { longitudeE6: 120_130_000, latitudeE6: 30_260_000 } as const;
const voltage = { minV: 200, maxV: 750 } as const;

/** The sites of an operator that does not exist: one station each, with so many gun ports. */
export function inventSites({
  operatorId,
  sites,
  connectors,
  powerKw,
}: Pick<BenchSettings, 'operatorId' | 'sites' | 'connectors' | 'powerKw'>): PartnerSite[] {
  return Array.from({ length: sites }, (_, index) => {
    const id = `BENCH${String(index + 1).padStart(3, '0')}`;
    return {
      id,
      operatorCode: operatorId,
      ownerCode: operatorId,
      name: `Bench ${index + 1}`,
      regionCode: '330106',
      address: `${index + 1} Bench Road`,
      sitePhone: null,
      servicePhone: '400-000-0000',
      kind: 'public',
      place: 'office',
      state: 'normal',
      bayCount: connectors,
      longitudeE6: place.longitudeE6 + index * 10_000,
      latitudeE6: place.latitudeE6,
      directions: null,
      pictures: [],
      vehicles: null,
      openAllDay: true,
      openingHours: null,
      electricityFee: null,
      serviceFee: null,
      parkingFee: null,
      parkingIsFree: null,
      parkingInfo: null,
      paymentInfo: null,
      reservable: false,
      remark: null,
      stations: [
        {
          id: `${id}01`,
          name: `Bench ${index + 1}`,
          manufacturer: null,
          manufacturerCode: null,
          model: null,
          producedOn: null,
          powerW: watts(powerKw * 1_000 * connectors),
          ports: Array.from({ length: connectors }, (_port, port) => ({
            id: `${id}01${String(port + 1).padStart(2, '0')}`,
            name: String(port + 1),
            kind: 'dc_plug',
            nationalStandard: '2015',
            voltageMinV: voltage.minV,
            voltageMaxV: voltage.maxV,
            currentA: Math.round((powerKw * 1_000) / voltage.minV),
            powerW: watts(powerKw * 1_000),
            bayNumber: String(port + 1),
          })),
        },
      ],
    } satisfies PartnerSite;
  });
}

const prices = {
  sharp: { electricityPriceE5: priceE5(120_000), servicePriceE5: priceE5(40_000) },
  peak: { electricityPriceE5: priceE5(95_000), servicePriceE5: priceE5(40_000) },
  regular: { electricityPriceE5: priceE5(65_000), servicePriceE5: priceE5(35_000) },
  valley: { electricityPriceE5: priceE5(32_000), servicePriceE5: priceE5(30_000) },
} as const;

/** The prices of the day, with all four periods. */
export const inventedPrices: readonly PartnerPriceSlot[] = (
  [
    [0, 'valley'],
    [7, 'regular'],
    [10, 'peak'],
    [12, 'regular'],
    [14, 'peak'],
    [19, 'sharp'],
    [21, 'regular'],
    [23, 'valley'],
  ] as const
).map(([hour, period]) => ({ fromSecond: hour * 3_600, ...prices[period] }));
