import { listConnectors } from '@voltdeck/contract/connectors';
import { assignIdentities, listStationIdentities, type StationIdentity } from '@voltdeck/contract/station-identities';
import { listStations } from '@voltdeck/contract/stations';
import { listUnknownStations } from '@voltdeck/contract/unknown-stations';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import styles from './stations.module.css';

type Props = {
  identities: readonly StationIdentity[];
  open: boolean;
  onClose: () => void;
  onAssigned: (text: string) => void;
};

/** Registers the stations of identities in stock at a site. */
export default function AssignIdentitiesForm({ identities, open, onClose, onAssigned }: Props) {
  return (
    <RouteForm
      route={assignIdentities}
      title={phrase('identities.assignTitle', { count: identities.length })}
      submitLabel={phrase('identities.assign')}
      intro={<p className={styles.formIntro}>{phrase('identities.assignIntro')}</p>}
      given={{ identityIds: identities.map(({ id }) => id) }}
      fields={{ siteId: { label: 'stations.site' } }}
      refreshes={[listStationIdentities, listStations, listConnectors, listUnknownStations]}
      open={open}
      onClose={onClose}
      onSaved={({ assigned }) => onAssigned(phrase('identities.assigned', { count: assigned }))}
    />
  );
}
