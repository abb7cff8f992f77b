import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import { identityNumbers } from '@voltdeck/contract/identity-numbers';
import { makeIdentities } from '@voltdeck/contract/station-identities';
import type { TaskId } from '@voltdeck/units/id';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { countText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { newStation } from './station-form-body.ts';
import styles from './stations.module.css';

const { protocol, type, equipmentType, connectorCount, maxPowerKw } = newStation;
const initial = { protocol, type, equipmentType, connectorCount, maxPowerKw, count: 100 };

type Asked = { startNumber?: string | undefined; count?: number | undefined; protocol?: Protocol | undefined };

/** What is wrong with the numbers of a batch, or the first and the last of them; null while the form is incomplete. */
function numbersOf({ startNumber = '', count = 0, protocol: asked = protocol }: Asked) {
  const start = startNumber.trim();
  return start === '' || !Number.isInteger(count) || count < 1 ? null : identityNumbers(start, count, asked);
}

function NumberRange(values: Asked) {
  const found = numbersOf(values);
  if (found === null || 'fault' in found) return null;
  const { count = 1 } = values;
  const [first, last] = [found.numbers(0), found.numbers(count - 1)];
  return <p className={styles.quiet}>{phrase('identities.range', { first, last, count: countText(count) })}</p>;
}

type Props = { open: boolean; onClose: () => void; onStarted: (taskId: TaskId) => void };

/** Makes a batch of identities for a factory. */
export default function IdentityForm({ open, onClose, onStarted }: Props) {
  const { user } = useSession();
  const mayChooseAgent = user.dataScope === 'platform' || user.dataScope === 'agent_tree';
  return (
    <RouteForm
      route={makeIdentities}
      title={phrase('identities.makeTitle')}
      submitLabel={phrase('identities.make')}
      draft="station identities"
      intro={<p className={styles.formIntro}>{phrase('identities.intro')}</p>}
      initial={initial}
      fields={{
        batch: { label: 'identities.batch', hint: 'identities.batchHint' },
        protocol: { label: 'stations.protocol', word: (value) => phrase(`protocol.${value}`) },
        startNumber: {
          label: 'identities.startNumber',
          kind: 'code',
          hint: ({ protocol: asked = protocol }) => {
            const { stationNumberDigits: digits } = protocolTraits[asked];
            return digits === null ? phrase('identities.startHint') : phrase('identities.startHintExact', { digits });
          },
          checkedWith: ['protocol', 'count'],
          check: (startNumber, values) => {
            const found = numbersOf({ ...values, startNumber });
            return found !== null && 'fault' in found ? phrase(`field.${found.fault}`, found.params) : null;
          },
          below: NumberRange,
        },
        count: { label: 'identities.count', isShort: true },
        type: {
          label: 'stations.type',
          heading: 'identities.formStation',
          isShort: true,
          word: (value) => phrase(`station-type.${value}`),
        },
        equipmentType: {
          label: 'stations.equipmentType',
          isShort: true,
          word: (value) => phrase(`equipment-type.${value}`),
        },
        connectorCount: { label: 'stations.connectorCount', isShort: true },
        maxPowerKw: { label: 'stations.maxPower', isShort: true },
        manufacturer: { label: 'stations.manufacturer' },
        equipmentModel: { label: 'stations.equipmentModel' },
        ...(mayChooseAgent
          ? { agentId: { label: 'stations.agent', heading: 'identities.formPlace', hint: 'identities.agentHint' } }
          : {}),
        siteId: { label: 'stations.site', hint: 'identities.siteHint' },
      }}
      fieldOf={{ 'identity.number_taken': 'startNumber' }}
      refreshes={[]}
      open={open}
      onClose={onClose}
      onSaved={({ taskId }) => onStarted(taskId)}
    />
  );
}
