import { type Connector, changeConnector, getStation, listConnectors } from '@voltdeck/contract/stations';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { port: Connector; open: boolean; onClose: () => void; onSaved: (port: Connector) => void };

/** Gives a gun port another name. */
export default function RenamePortForm({ port, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={changeConnector}
      params={{ id: port.id }}
      title={phrase('stations.renamePortTitle', { station: port.stationName, number: port.number })}
      submitLabel={phrase('stations.saveChanges')}
      initial={{ name: port.name }}
      fields={{ name: { label: 'stations.portName', requiredIf: () => true } }}
      refreshes={[listConnectors, getStation]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
