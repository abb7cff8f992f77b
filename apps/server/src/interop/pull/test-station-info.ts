import type { StationInfo } from '@voltdeck/tcec102/messages/public';
import { watts } from '@voltdeck/units/energy';

/** A StationInfo of an operator; of each pile, its gun ports. */
export function stationInfo(
  operatorId: string,
  id: string,
  piles: readonly (readonly [id: string, ports: readonly string[]])[],
): StationInfo {
  return {
    StationID: id,
    OperatorID: operatorId,
    EquipmentOwnerID: operatorId,
    StationName: `Station ${id}`,
    CountryCode: 'CN',
    AreaCode: '330106',
    Address: '1 Lake Road',
    ServiceTel: '4001234567',
    StationType: 1,
    StationStatus: 50,
    ParkNums: 0,
    StationLng: 120_130_000,
    StationLat: 30_240_000,
    Construction: 9,
    EquipmentInfos: piles.map(([pile, ports]) => ({
      EquipmentID: pile,
      EquipmentType: 1,
      Power: watts(60_000),
      ConnectorInfos: ports.map((port) => ({
        ConnectorID: port,
        ConnectorType: 4,
        VoltageUpperLimits: 750,
        VoltageLowerLimits: 200,
        Current: 125,
        Power: watts(60_000),
        NationalStandard: 2,
      })),
    })),
  };
}
