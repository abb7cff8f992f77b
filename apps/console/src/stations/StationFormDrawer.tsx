import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { equipmentTypes, type Protocol, protocols, stationTypes } from '@voltdeck/charging/states';
import {
  adoptStation,
  changeStation,
  createStation,
  getStation,
  listConnectors,
  listStations,
  listUnknownStations,
  type Station,
} from '@voltdeck/contract/stations';
import type { Id } from '@voltdeck/units/id';
import { DatePicker, Form, Input, InputNumber, Radio } from 'antd';
import dayjs from 'dayjs';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { type PhraseKey, phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';
import { siteChoices, tariffChoices } from '../ui/list/record-choices.ts';
import { RecordSelect } from '../ui/RecordSelect.tsx';
import { StationSignIn } from './StationSignIn.tsx';
import {
  bodyOf,
  faultOfNumber,
  isPasswordLength,
  newStation,
  type StationValues,
  valuesOf,
} from './station-form-body.ts';
import styles from './stations.module.css';

export type StationFormTask =
  | { kind: 'add' }
  | { kind: 'edit'; station: Station }
  /** A station that connected on its own: the number is the one it used. */
  | { kind: 'adopt'; id: Id<'unknown-station'>; number: string; protocol: Protocol };

export type StationSaved = { station: Station; password: string | null };

const connectorCountMax = 32;
const maxPowerKwMax = 2_000;
const voltageVMax = 1_500;
const currentAMax = 2_000;

/** What the form opens with. */
function initialOf(task: StationFormTask): Partial<StationValues> {
  switch (task.kind) {
    case 'add':
      return newStation;
    case 'edit':
      return valuesOf(task.station);
    case 'adopt':
      return { ...newStation, protocol: task.protocol, number: task.number, name: task.number };
  }
}

async function save(task: StationFormTask, values: StationValues, idempotencyKey: string): Promise<StationSaved> {
  const body = bodyOf(values);
  switch (task.kind) {
    case 'edit': {
      const input = { params: { id: task.station.id }, body: { ...body, number: values.number.trim() }, quiet: true };
      return { station: await call(changeStation, input), password: null };
    }
    case 'add': {
      const { protocol } = values;
      const named = { protocol, number: values.number.trim(), ...passwordOf(values) };
      const input = { body: { ...body, ...named }, idempotencyKey, quiet: true };
      const { password: made, ...station } = await call(createStation, input);
      return { station, password: made };
    }
    case 'adopt': {
      const input = { params: { id: task.id }, body: { ...body, ...passwordOf(values) }, idempotencyKey, quiet: true };
      const { password: made, ...station } = await call(adoptStation, input);
      return { station, password: made };
    }
  }
}

function passwordOf({ protocol, password }: StationValues): { password?: string } {
  return password && protocolTraits[protocol].hasPassword ? { password } : {};
}

/** Names the form of a task where what was typed is kept. */
function stationDraftKey(task: StationFormTask): string {
  switch (task.kind) {
    case 'add':
      return 'station add';
    case 'edit':
      return `station ${task.station.id}`;
    case 'adopt':
      return `unknown-station ${task.id}`;
  }
}

type Props = { task: StationFormTask; open: boolean; onClose: () => void; onSaved: (saved: StationSaved) => void };

/** Add, edit or adopt a station. */
export default function StationFormDrawer({ task, open, onClose, onSaved }: Props) {
  const refresh = useRefresh();
  const required = { required: true, message: phrase('field.required') };
  const edited = task.kind === 'edit' ? task.station : null;
  const title =
    task.kind === 'add'
      ? phrase('stations.addTitle')
      : task.kind === 'edit'
        ? phrase('stations.editTitle', { name: task.station.name })
        : phrase('stations.adoptTitle', { number: task.number });
  return (
    <FormDrawer<StationValues, StationSaved>
      title={title}
      open={open}
      onClose={onClose}
      initial={initialOf(task)}
      draftKey={stationDraftKey(task)}
      submitLabel={phrase(
        task.kind === 'add' ? 'stations.add' : task.kind === 'edit' ? 'stations.saveChanges' : 'stations.adopt',
      )}
      submit={(values, key) => save(task, values, key)}
      fieldOf={{ 'station.number_taken': 'number' }}
      onDone={(saved) => {
        void refresh(listStations, listConnectors, getStation, listUnknownStations);
        onSaved(saved);
      }}
    >
      <h3 className={styles.formHead}>{phrase('stations.formIdentity')}</h3>
      <Form.Item
        name="protocol"
        label={phrase('stations.protocol')}
        {...(task.kind === 'add' ? { extra: phrase('stations.protocolHint') } : {})}
        rules={[required]}
      >
        <Radio.Group
          optionType="button"
          disabled={task.kind !== 'add'}
          options={protocols.map((value) => ({ value, label: phrase(`protocol.${value}`) }))}
        />
      </Form.Item>
      <Form.Item<StationValues> noStyle dependencies={['protocol']}>
        {({ getFieldValue }) => <StationNumber task={task} protocol={getFieldValue('protocol') as Protocol} />}
      </Form.Item>
      <Form.Item name="name" label={phrase('stations.name')} rules={[{ ...required, whitespace: true }]}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="siteId" label={phrase('stations.site')} rules={[required]}>
        <RecordSelect search={siteChoices.search} nameOf={siteChoices.nameOf} initialName={edited?.siteName} />
      </Form.Item>

      <h3 className={styles.formHead}>{phrase('stations.formEquipment')}</h3>
      <div className={styles.formRow}>
        <Form.Item name="type" label={phrase('stations.type')} rules={[required]}>
          <Radio.Group
            optionType="button"
            options={stationTypes.map((value) => ({ value, label: phrase(`station-type.${value}`) }))}
          />
        </Form.Item>
        <Form.Item name="equipmentType" label={phrase('stations.equipmentType')} rules={[required]}>
          <Radio.Group
            optionType="button"
            options={equipmentTypes.map((value) => ({ value, label: phrase(`equipment-type.${value}`) }))}
          />
        </Form.Item>
      </div>
      <div className={styles.formRow}>
        <Form.Item
          name="connectorCount"
          label={phrase('stations.connectorCount')}
          rules={[required]}
          {...(edited === null ? {} : { extra: phrase('stations.connectorCountHint') })}
        >
          <InputNumber min={1} max={connectorCountMax} precision={0} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item name="maxPowerKw" label={`${phrase('stations.maxPower')} (kW)`} rules={[required]}>
          <InputNumber min={1} max={maxPowerKwMax} precision={0} style={{ width: '100%' }} />
        </Form.Item>
      </div>
      <div className={styles.formRow}>
        <Form.Item name="voltageV" label={`${phrase('stations.voltage')} (V)`}>
          <InputNumber min={1} max={voltageVMax} precision={0} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item name="currentA" label={`${phrase('stations.current')} (A)`}>
          <InputNumber min={1} max={currentAMax} precision={0} style={{ width: '100%' }} />
        </Form.Item>
      </div>

      <h3 className={styles.formHead}>{phrase('stations.formOperation')}</h3>
      <Form.Item name="cardTariffId" label={phrase('stations.cardTariff')} extra={phrase('stations.cardTariffHint')}>
        <RecordSelect
          optional
          search={tariffChoices.search}
          nameOf={tariffChoices.nameOf}
          initialName={edited?.cardTariffName}
        />
      </Form.Item>
      <Form.Item
        name="wechatTariffId"
        label={phrase('stations.wechatTariff')}
        extra={phrase('stations.wechatTariffHint')}
      >
        <RecordSelect
          optional
          search={tariffChoices.search}
          nameOf={tariffChoices.nameOf}
          initialName={edited?.wechatTariffName}
        />
      </Form.Item>
      <Form.Item
        name="expiresOn"
        label={phrase('stations.expiresOn')}
        getValueProps={(text: string | undefined) => ({ value: text ? dayjs(text) : null })}
        normalize={(day: dayjs.Dayjs | null) => day?.format('YYYY-MM-DD')}
      >
        <DatePicker style={{ width: '100%' }} />
      </Form.Item>
      <Form.Item<StationValues> noStyle dependencies={['protocol']}>
        {({ getFieldValue }) =>
          protocolTraits[getFieldValue('protocol') as Protocol].hasPassword ? (
            <>
              <h3 className={styles.formHead}>{phrase('stations.formSignIn')}</h3>
              <StationSignIn />
              {task.kind === 'edit' ? null : <StationPassword />}
            </>
          ) : null
        }
      </Form.Item>
    </FormDrawer>
  );
}

const numberHints = {
  'ocpp1.6': 'stations.numberHint',
  ykc: 'stations.numberHintYkc',
} as const satisfies Record<Protocol, PhraseKey>;

function StationNumber({ task, protocol }: { task: StationFormTask; protocol: Protocol }) {
  return (
    <Form.Item
      name="number"
      label={phrase('stations.number')}
      extra={phrase(task.kind === 'adopt' ? 'stations.numberFixed' : numberHints[protocol])}
      dependencies={['protocol']}
      rules={[
        { required: true, message: phrase('field.required') },
        {
          validator: (_, number: string | undefined) => {
            const fault = faultOfNumber(number, protocol);
            return fault === null ? Promise.resolve() : Promise.reject(new Error(phrase(fault)));
          },
        },
      ]}
    >
      <Input maxLength={48} disabled={task.kind === 'adopt'} className={styles.mono} />
    </Form.Item>
  );
}

/** Asked for where the station signs in with it. */
function StationPassword() {
  const signIn = Form.useWatch<StationValues['signIn']>('signIn');
  if (signIn !== 'password') return null;
  return (
    <Form.Item
      name="password"
      label={phrase('stations.password')}
      extra={phrase('stations.passwordHint')}
      rules={[
        {
          validator: (_, password: string | undefined) =>
            !password || isPasswordLength(password)
              ? Promise.resolve()
              : Promise.reject(new Error(phrase('stations.passwordLength'))),
        },
      ]}
    >
      <Input.Password autoComplete="new-password" maxLength={20} className={styles.mono} />
    </Form.Item>
  );
}
