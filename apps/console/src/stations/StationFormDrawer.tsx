import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import { listConnectors } from '@voltdeck/contract/connectors';
import { changeStation, createStation, getStation, listStations, type Station } from '@voltdeck/contract/stations';
import { adoptStation, listUnknownStations, type UnknownStation } from '@voltdeck/contract/unknown-stations';
import type { Id, SiteId, TariffId } from '@voltdeck/units/id';
import { Alert } from 'antd';
import { type PhraseKey, phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { faultOfNumber, isPasswordLength, newStation, sentStation } from './station-form-body.ts';
import styles from './stations.module.css';

export type StationFormTask =
  | { kind: 'add'; given: { siteId?: SiteId; cardTariffId?: TariffId } }
  | { kind: 'edit'; station: Station }
  /** A station that tried to connect: the number is the one it used. */
  | {
      kind: 'adopt';
      id: Id<'unknown-station'>;
      number: string;
      protocol: Protocol;
      identity: UnknownStation['identity'];
    };

type StationSaved = { station: Station; password: string | null };

/** The initial values when changing or adopting a station. */
function recordOf(task: StationFormTask): Partial<Station> | null {
  switch (task.kind) {
    case 'add':
      return null;
    case 'edit':
      return task.station;
    case 'adopt':
      return { ...newStation, ...task.identity, protocol: task.protocol, number: task.number, name: task.number };
  }
}

function wordsOf(task: StationFormTask): { title: string; submitLabel: string; draft: string } {
  switch (task.kind) {
    case 'add':
      return { title: phrase('stations.addTitle'), submitLabel: phrase('stations.add'), draft: 'station add' };
    case 'edit':
      return {
        title: phrase('stations.editTitle', { name: task.station.name }),
        submitLabel: phrase('stations.saveChanges'),
        draft: `station ${task.station.id}`,
      };
    case 'adopt':
      return {
        title: phrase('stations.adoptTitle', { number: task.number }),
        submitLabel: phrase('stations.adopt'),
        draft: `unknown-station ${task.id}`,
      };
  }
}

const numberHints = {
  'ocpp1.6': 'stations.numberHint',
  ykc: 'stations.numberHintYkc',
} as const satisfies Record<Protocol, PhraseKey>;

type Asked = { protocol?: Protocol | undefined };

const hasPassword = ({ protocol = newStation.protocol }: Asked) => protocolTraits[protocol].hasPassword;

type Props = { task: StationFormTask; open: boolean; onClose: () => void; onSaved: (saved: StationSaved) => void };

/** Adds, changes or adopts a station. */
export default function StationFormDrawer({ task, open, onClose, onSaved }: Props) {
  const { user } = useSession();
  const mayChooseAgent = user.dataScope === 'platform' || user.dataScope === 'agent_tree';
  return (
    <RouteForm
      route={createStation}
      change={task.kind === 'adopt' ? adoptStation : changeStation}
      record={recordOf(task)}
      params={task.kind === 'adopt' ? { id: task.id } : task.kind === 'edit' ? { id: task.station.id } : {}}
      {...wordsOf(task)}
      initial={task.kind === 'add' ? { ...newStation, ...task.given } : newStation}
      fields={{
        protocol: {
          label: 'stations.protocol',
          heading: 'stations.formIdentity',
          ...(task.kind === 'add' ? { hint: 'stations.protocolHint' } : {}),
          word: (protocol) => phrase(`protocol.${protocol}`),
        },
        number: {
          label: 'stations.number',
          kind: 'code',
          hint: ({ protocol = newStation.protocol }) =>
            phrase(task.kind === 'adopt' ? 'stations.numberFixed' : numberHints[protocol]),
          checkedWith: ['protocol'],
          check: (number, { protocol = newStation.protocol }) => {
            const fault = faultOfNumber(number, protocol);
            return fault === null ? null : phrase(`field.${fault}`);
          },
        },
        name: { label: 'stations.name' },
        siteId: { label: 'stations.site' },
        customSite: { label: 'stations.customSite', hint: 'stations.customSiteHint' },
        ...(mayChooseAgent
          ? {
              agentId: {
                label: 'stations.agent',
                hint: task.kind === 'edit' ? 'stations.agentKeepHint' : 'stations.agentHint',
              },
            }
          : {}),
        type: {
          label: 'stations.type',
          heading: 'stations.formEquipment',
          isShort: true,
          word: (type) => phrase(`station-type.${type}`),
        },
        equipmentType: {
          label: 'stations.equipmentType',
          isShort: true,
          word: (type) => phrase(`equipment-type.${type}`),
        },
        connectorCount: {
          label: 'stations.connectorCount',
          isShort: true,
          ...(task.kind === 'edit' ? { hint: 'stations.connectorCountHint' } : {}),
        },
        maxPowerKw: { label: 'stations.maxPower', isShort: true },
        voltageV: { label: 'stations.voltage', isShort: true },
        currentA: { label: 'stations.current', isShort: true },
        cardTariffId: {
          label: 'stations.cardTariff',
          heading: 'stations.formOperation',
          hint: 'stations.cardTariffHint',
        },
        wechatTariffId: { label: 'stations.wechatTariff', hint: 'stations.wechatTariffHint' },
        free: { label: 'stations.freeSwitch', hint: 'stations.freeHint' },
        expiresOn: { label: 'stations.expiresOn' },
        imei: { label: 'stations.imei', kind: 'code', heading: 'stations.formMaker' },
        iccid: { label: 'stations.iccid', kind: 'code' },
        simExpiresOn: { label: 'stations.simExpiresOn' },
        manufacturer: { label: 'stations.manufacturer' },
        manufacturerCode: {
          label: 'stations.manufacturerCode',
          kind: 'code',
          hint: 'stations.manufacturerCodeHint',
        },
        equipmentModel: { label: 'stations.equipmentModel' },
        producedOn: { label: 'stations.producedOn' },
        signIn: {
          label: 'stations.signIn',
          heading: 'stations.formSignIn',
          kind: 'select',
          word: (way) => phrase(`stations.signIn.${way}`),
          shownIf: hasPassword,
          requiredIf: hasPassword,
          below: ({ signIn }) =>
            signIn === 'open' ? (
              <Alert type="warning" showIcon title={phrase('stations.openWarning')} className={styles.formAlert} />
            ) : null,
        },
        signInNetworks: {
          label: 'stations.signInNetworks',
          hint: 'stations.signInNetworksHint',
          shownIf: (values) => hasPassword(values) && values.signIn === 'open',
        },
        password: {
          label: 'stations.password',
          hint: 'stations.passwordHint',
          shownIf: (values) => hasPassword(values) && values.signIn === 'password' && task.kind !== 'edit',
          check: (password) => (isPasswordLength(password) ? null : phrase('stations.passwordLength')),
        },
      }}
      adjust={sentStation}
      fieldOf={{ 'station.number_taken': 'number' }}
      refreshes={[listStations, listConnectors, getStation, listUnknownStations]}
      open={open}
      onClose={onClose}
      onSaved={(saved) =>
        onSaved('password' in saved ? { station: saved, password: saved.password } : { station: saved, password: null })
      }
    />
  );
}
