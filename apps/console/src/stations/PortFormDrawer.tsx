import { type Connector, changeConnector, listConnectors } from '@voltdeck/contract/connectors';
import { getStation } from '@voltdeck/contract/stations';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { port: Connector; open: boolean; onClose: () => void; onSaved: (port: Connector) => void };

/** Changes the name of a gun port, its bay and what its nameplate says. */
export default function PortFormDrawer({ port, open, onClose, onSaved }: Props) {
  const { stationVoltageV: volts, stationCurrentA: amperes } = port;
  const voltageHint = volts === null ? undefined : phrase('ports.ratedVoltageHint', { volts });
  const currentHint = amperes === null ? undefined : phrase('ports.ratedCurrentHint', { amperes });
  return (
    <RouteForm
      route={changeConnector}
      change={changeConnector}
      record={port}
      draft={`port ${port.id}`}
      title={phrase('ports.editTitle', { station: port.stationName, number: port.number })}
      submitLabel={phrase('stations.saveChanges')}
      fields={{
        name: { label: 'stations.portName', hint: 'ports.nameHint' },
        bayNumber: { label: 'ports.bayNumber', hint: 'ports.bayNumberHint' },
        kind: {
          label: 'ports.kind',
          heading: 'ports.formRating',
          word: (kind) => phrase(`connector-kind.${kind}`),
          ...(port.equipmentType === 'two-wheel' ? { hint: 'ports.kindHint' } : {}),
        },
        nationalStandard: {
          label: 'ports.nationalStandard',
          hint: 'ports.nationalStandardHint',
          kind: 'select',
          word: (standard) => phrase(`national-standard.${standard}`),
        },
        ratedVoltageMinV: {
          label: 'ports.ratedVoltageMin',
          isShort: true,
          hint: () => voltageHint,
          checkedWith: ['ratedVoltageMaxV'],
          check: (min, { ratedVoltageMaxV: max }) =>
            min != null && max != null && min > max ? phrase('field.above_upper_limit', { max }) : null,
        },
        ratedVoltageMaxV: { label: 'ports.ratedVoltageMax', isShort: true },
        ratedCurrentA: { label: 'ports.ratedCurrentA', isShort: true, hint: () => currentHint },
        ratedPowerW: { label: 'ports.ratedPower', isShort: true },
      }}
      refreshes={[listConnectors, getStation]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
