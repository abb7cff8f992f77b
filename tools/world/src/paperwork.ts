import { seeded } from '@voltdeck/simulator/seeded';
import { dayMs, type Instant, instant, shanghaiDate } from '@voltdeck/units/instant';
import type { Station } from './network.ts';

/** What the purchase papers of a station say, and where in its site it stands; columns of `stations`. */
export type Paperwork = {
  custom_site: string;
  imei: string | null;
  sim_expires_on: string | null;
  manufacturer: string;
  manufacturer_code: string;
  equipment_model: string;
  produced_on: string;
};

/** The invented makers by their name in OCPP, with organization codes of nine characters. */
const makers: Readonly<Record<string, { name: string; code: string }>> = {
  'Hengtuo Electric': { name: '恒拓电气股份有限公司', code: 'MA7HT0D14' },
  'Qingtan Power': { name: '青檀电力设备有限公司', code: 'MA6QT0P62' },
  'Lanmo Energy': { name: '蓝漠能源科技有限公司', code: 'MA5LM0E37' },
  Yuanpai: { name: '远湃智能装备有限公司', code: 'MA4YP0A58' },
  'Xiaoyu IoT': { name: '小渔物联科技有限公司', code: 'MA3XY0B91' },
};

const openPlaces = ['东侧', '西侧', '入口处', '雨棚区', 'A区', 'B区'] as const;
const indoorPlaces = ['B1层A区', 'B1层C区', 'B2层东侧', 'B2层电梯厅旁'] as const;

/** Type allocation code of an invented modem, the first eight digits of an IMEI. */
const modemCode = '86099904';
const simYearsMax = 5;

/** The same for a station in every run of a seed. A few SIM cards run out within weeks. */
export function paperworkOf(station: Station, now: Instant): Paperwork {
  const random = seeded(station.number).fork('paperwork');
  const maker = makers[station.vendor];
  if (maker === undefined) throw new Error(`${station.vendor} has no name in Chinese`);
  const hasSim = station.equipmentType === 'two-wheel' || random.chance(0.7);
  const simDays = random.chance(0.06) ? random.integer(2, 28) : random.integer(60, simYearsMax * 365);
  const producedAt = instant(station.createdAt - random.integer(20, 150) * dayMs);
  return {
    custom_site: random.chance(0.6) ? random.pick(station.site.isUnderground ? indoorPlaces : openPlaces) : '',
    imei: hasSim ? imeiOf(station.id) : null,
    sim_expires_on: hasSim ? shanghaiDate(instant(now + simDays * dayMs)) : null,
    manufacturer: maker.name,
    manufacturer_code: maker.code,
    equipment_model: station.model,
    produced_on: shanghaiDate(producedAt),
  };
}

/** Fifteen digits, the last of them by Luhn's rule as on every modem (3GPP TS 23.003, annex B). */
function imeiOf(id: number): string {
  const digits = `${modemCode}${String(100_000 + id).slice(-6)}`;
  const sum = [...digits].reduce((total, digit, place) => {
    const counted = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
