import { listConnectors } from '@voltdeck/contract/connectors';
import { deleteStation, enableStation, getStation, type Station } from '@voltdeck/contract/stations';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { deletion, enabling } from '../ui/list/usual-acts.ts';

type Acted = Pick<Station, 'id' | 'name' | 'number' | 'enabled' | 'connectorCount'>;

/** Acts on a station, in the list and on its own page. */
export function stationActs<Row extends Acted>(onDeleted?: () => void) {
  return {
    enable: enabling<Row>({
      labels: ['stations.enable', 'stations.disable'],
      may: 'station.edit',
      question: ({ name, number }) => phrase('stations.disableQuestion', { name, number }),
      details: ({ connectorCount }) => phrase('stations.disableDetails', { count: connectorCount }),
      act: ({ id }, enabled, idempotencyKey) =>
        call(enableStation, { params: { id }, body: { enabled }, idempotencyKey }),
      told: ({ name }, enabled) => phrase(enabled ? 'stations.enabledNow' : 'stations.disabledNow', { name }),
      changes: [listConnectors, getStation],
    }),
    delete: deletion<Row>({
      label: 'stations.delete',
      may: 'station.delete',
      question: ({ name, number, connectorCount }) =>
        phrase('stations.deleteQuestion', { name, number, count: connectorCount }),
      details: 'stations.deleteDetails',
      act: async ({ id }, idempotencyKey) => {
        await call(deleteStation, { params: { id }, idempotencyKey });
        onDeleted?.();
      },
      told: ({ name }) => phrase('stations.deleted', { name }),
      changes: [listConnectors],
    }),
  };
}
