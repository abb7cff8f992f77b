import { type Connector, listConnectors, moveConnector } from '@voltdeck/contract/connectors';
import { getStation, listStations } from '@voltdeck/contract/stations';
import { Alert } from 'antd';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { SuggestInput, type Suggestion } from '../ui/form/SuggestInput.tsx';
import styles from './stations.module.css';

const suggestionsMax = 8;
const stationNumberMax = 48;

type Props = { port: Connector; open: boolean; onClose: () => void; onSaved: (port: Connector) => void };

/** Moves a gun port to another station, another number, or both. */
export default function MovePortForm({ port, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={moveConnector}
      params={{ id: port.id }}
      title={phrase('stations.movePortTitle', { station: port.stationName, number: port.number })}
      submitLabel={phrase('stations.movePort')}
      intro={<p className={styles.formIntro}>{phrase('stations.movePortIntro', { number: port.stationNumber })}</p>}
      fields={{
        stationNumber: {
          label: 'stations.moveToStation',
          hint: 'stations.moveToStationHint',
          control: <SuggestInput suggest={suggestStations} maxLength={stationNumberMax} />,
        },
        number: { label: 'stations.moveToNumber', hint: 'stations.moveToNumberHint' },
      }}
      refreshes={[listConnectors, listStations, getStation]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    >
      <Alert type="info" showIcon title={phrase('stations.movePortNote')} />
    </RouteForm>
  );
}

async function suggestStations(text: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
  const { items } = await call(listStations, {
    query: { number: text, pageSize: suggestionsMax, total: 'none' },
    signal,
    quiet: true,
  });
  return items.map(({ number, name }) => ({ value: number, label: `${number} · ${name}` }));
}
