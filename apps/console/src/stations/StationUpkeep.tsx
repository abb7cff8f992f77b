import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { StationCommand } from '@voltdeck/charging/station-command';
import type { Connector } from '@voltdeck/contract/connectors';
import type { StationDetail } from '@voltdeck/contract/stations';
import { Alert, Form, Input, InputNumber, Radio, Select, Switch } from 'antd';
import { type ReactNode, useState } from 'react';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { Instant } from '../ui/Instant.tsx';
import { portText } from '../ui/ports/port-text.ts';
import { RunningTariff } from './RunningTariff.tsx';
import { StationConfiguration } from './StationConfiguration.tsx';
import styles from './stations.module.css';
import upkeep from './upkeep.module.css';
import type { Commands, StationCommandBody } from './use-commands.ts';

type Props = {
  station: StationDetail;
  because: string | undefined;
  send: Commands['send'];
};

const cardsMax = 100;
/** Includes the full-width comma, semicolon and enumeration comma. */
const cardSeparators = [',', ';', ' ', '\n', '\t', ...String.fromCodePoint(0xff0c, 0xff1b, 0x3001)];
const powerPercent = { min: 30, max: 100 } as const;

/** Station commands apart from charges, as far as its protocol has them. */
export default function StationUpkeep({ station, because, send }: Props) {
  const knows = (kind: StationCommand['kind']) => protocolTraits[station.protocol].commands.includes(kind);
  const can = useCan();
  const plain = (kind: 'set-tariff' | 'set-clock' | 'clear-cache') => (
    <DisabledReason because={because} onClick={() => void send(phrase(`command.${kind}`), { kind })}>
      {phrase(`command.${kind}`)}
    </DisabledReason>
  );
  return (
    <div className={upkeep.upkeep}>
      {knows('change-availability') ? <Availability station={station} because={because} send={send} /> : null}
      {knows('set-tariff') ? (
        <Group title={phrase('stations.runningTariff')}>
          <RunningTariff station={station} withDetails />
          {plain('set-tariff')}
        </Group>
      ) : null}
      {knows('set-clock') ? <Group title={phrase('stations.clock')}>{plain('set-clock')}</Group> : null}
      {knows('limit-power') ? <PowerLimit because={because} send={send} /> : null}
      {knows('move-ground-lock') ? <GroundLocks station={station} because={because} send={send} /> : null}
      {knows('update-balance') ? <Balances station={station} because={because} send={send} /> : null}
      {knows('read-configuration') ? (
        <Group title={phrase('stations.configuration')}>
          <StationConfiguration because={because} send={send} />
        </Group>
      ) : null}
      {knows('clear-cache') ? <Group title={phrase('stations.cache')}>{plain('clear-cache')}</Group> : null}
      {knows('store-cards') ? <OfflineCards because={because} send={send} /> : null}
      {knows('transfer-data') ? <DataTransfer because={because} send={send} /> : null}
      {knows('update-firmware') ? <Firmware station={station} because={because} send={send} /> : null}
      {knows('raw') && can('station.command_raw') ? (
        <RawCommand station={station} because={because} send={send} />
      ) : null}
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={upkeep.upkeepGroup} aria-label={title}>
      <h4>{title}</h4>
      <div>{children}</div>
    </section>
  );
}

const wholeStation = 0;

/** Takes the station or one of its ports out of service at the station itself, where the protocol reaches it. */
function Availability({ station, because, send }: Props) {
  const confirm = useConfirm();
  const [connectorNumber, setNumber] = useState(wholeStation);
  const where =
    connectorNumber === wholeStation ? phrase('stations.wholeStation') : portText({ number: connectorNumber });
  const ask = async (available: boolean) => {
    const what = phrase(available ? 'stations.worksYes' : 'stations.worksNo');
    await send(phrase('stations.availabilityAsked', { where, what }), {
      kind: 'change-availability',
      connectorNumber,
      available,
    });
  };
  return (
    <Group title={phrase('stations.availability')}>
      {protocolTraits[station.protocol].closesSinglePorts ? (
        <Select
          aria-label={phrase('stations.port')}
          value={connectorNumber}
          onChange={setNumber}
          style={{ width: 132 }}
          options={[
            { value: wholeStation, label: phrase('stations.wholeStation') },
            ...station.ports.map(({ number }) => ({ value: number, label: portText({ number }) })),
          ]}
        />
      ) : null}
      <DisabledReason because={because} onClick={() => void ask(true)}>
        {phrase('stations.worksYes')}
      </DisabledReason>
      <DisabledReason
        because={because}
        danger
        onClick={() =>
          void confirm({
            question: phrase('stations.outOfServiceQuestion', { name: station.name, where }),
            details: phrase('stations.outOfServiceDetails'),
            verb: phrase('stations.worksNo'),
            danger: true,
            act: async () => void ask(false),
          })
        }
      >
        {phrase('stations.worksNo')}
      </DisabledReason>
    </Group>
  );
}

/** Tells the station the money behind a charge that runs at a port. */
function Balances({ station, because, send }: Props) {
  const charging = station.ports.filter(({ orderId }) => orderId !== null);
  return (
    <Group title={phrase('command.update-balance')}>
      {charging.length === 0 ? (
        <span className={styles.quiet}>{phrase('stations.noChargeRuns')}</span>
      ) : (
        charging.map(({ id, number }) => (
          <DisabledReason
            key={id}
            because={because}
            onClick={() =>
              void send(phrase('stations.balanceAsked', { number }), {
                kind: 'update-balance',
                connectorNumber: number,
              })
            }
          >
            {portText({ number })}
          </DisabledReason>
        ))
      )}
    </Group>
  );
}

type Transfer = Omit<Extract<StationCommandBody, { kind: 'transfer-data' }>, 'kind'>;
const transferMax = { vendor: 255, message: 50, data: 10_000 } as const;

function DataTransfer({ because, send }: Omit<Props, 'station'>) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <Group title={phrase('command.transfer-data')}>
        <DisabledReason because={because} onClick={() => setOpen(true)}>
          {phrase('stations.transferPrepare')}
        </DisabledReason>
      </Group>
    );
  }
  return (
    <Group title={phrase('command.transfer-data')}>
      <Form<Transfer>
        layout="vertical"
        className={upkeep.firmware}
        onFinish={({ vendor, message, data }) =>
          void send(phrase('command.transfer-data'), {
            kind: 'transfer-data',
            vendor,
            ...(message ? { message } : {}),
            ...(data ? { data } : {}),
          })
        }
      >
        <div className={styles.formRow}>
          <Form.Item
            name="vendor"
            label={phrase('stations.transferVendor')}
            rules={[{ required: true, whitespace: true, message: phrase('field.required') }]}
          >
            <Input maxLength={transferMax.vendor} className={styles.mono} />
          </Form.Item>
          <Form.Item name="message" label={phrase('stations.transferMessage')}>
            <Input maxLength={transferMax.message} className={styles.mono} />
          </Form.Item>
        </div>
        <Form.Item name="data" label={phrase('stations.transferData')}>
          <Input.TextArea maxLength={transferMax.data} autoSize={{ minRows: 2, maxRows: 8 }} className={styles.mono} />
        </Form.Item>
        <DisabledReason because={because} htmlType="submit">
          {phrase('command.transfer-data')}
        </DisabledReason>
      </Form>
    </Group>
  );
}

const actionMax = 50;

/** One call of the station's own protocol, sent as given. */
function RawCommand({ station, because, send }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Group title={phrase('command.raw')}>
      {isOpen ? (
        <Form<{ action: string; payload: string }>
          layout="vertical"
          className={upkeep.firmware}
          initialValues={{ payload: '{}' }}
          onFinish={({ action, payload }) =>
            void send(action, { kind: 'raw', action: action.trim(), payload: jsonOf(payload) })
          }
        >
          <Alert
            type="warning"
            showIcon
            title={phrase('stations.rawWarning', { protocol: phrase(`protocol.${station.protocol}`) })}
          />
          <Form.Item
            name="action"
            label={phrase('stations.rawAction')}
            rules={[{ required: true, whitespace: true, message: phrase('field.required') }]}
          >
            <Input maxLength={actionMax} className={styles.mono} />
          </Form.Item>
          <Form.Item
            name="payload"
            label={phrase('stations.rawPayload')}
            rules={[
              {
                validator: (_, text: string) =>
                  jsonOf(text) === undefined
                    ? Promise.reject(new Error(phrase('stations.notJson')))
                    : Promise.resolve(),
              },
            ]}
          >
            <Input.TextArea autoSize={{ minRows: 3, maxRows: 12 }} className={styles.mono} spellCheck={false} />
          </Form.Item>
          <DisabledReason because={because} danger htmlType="submit">
            {phrase('stations.rawSend')}
          </DisabledReason>
        </Form>
      ) : (
        <DisabledReason because={because} onClick={() => setOpen(true)}>
          {phrase('stations.rawPrepare')}
        </DisabledReason>
      )}
    </Group>
  );
}

/** Undefined for a text that is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function PowerLimit({ because, send }: Omit<Props, 'station'>) {
  const [available, setAvailable] = useState(true);
  const [percent, setPercent] = useState<number>(powerPercent.max);
  return (
    <Group title={phrase('stations.workLimits')}>
      <span className={upkeep.inlineField}>
        <Switch aria-label={phrase('stations.worksYes')} checked={available} onChange={setAvailable} />
        {phrase(available ? 'stations.worksYes' : 'stations.worksNo')}
      </span>
      <span className={upkeep.inlineField}>
        {phrase('stations.maxPowerPercent')}
        <InputNumber
          aria-label={phrase('stations.maxPowerPercent')}
          min={powerPercent.min}
          max={powerPercent.max}
          precision={0}
          value={percent}
          onChange={(value) => setPercent(value ?? powerPercent.max)}
          style={{ width: 84 }}
        />
        %
      </span>
      <DisabledReason
        because={because}
        onClick={() =>
          void send(phrase('command.limit-power'), { kind: 'limit-power', available, maxPowerPercent: percent })
        }
      >
        {phrase('command.limit-power')}
      </DisabledReason>
    </Group>
  );
}

function GroundLocks({ station, because, send }: Props) {
  const move = (connectorNumber: number, to: 'raised' | 'lowered') =>
    void send(phrase('stations.lockMoved', { number: connectorNumber, what: phrase(`stations.lock_${to}`) }), {
      kind: 'move-ground-lock',
      connectorNumber,
      to,
    });
  return (
    <Group title={phrase('stations.groundLock')}>
      <ul className={upkeep.locks}>
        {station.ports.map(({ id, number, groundLock }) => (
          <li key={id}>
            <span>{portText({ number })}</span>
            <span className={styles.quiet}>
              {groundLock === null ? (
                phrase('stations.lockUnknown')
              ) : (
                <>
                  {lockWords(groundLock).join(' · ')} · <Instant at={groundLock.at} />
                </>
              )}
            </span>
            <span>
              {(['lowered', 'raised'] as const).map((to) => (
                <DisabledReason key={to} size="small" because={because} onClick={() => move(number, to)}>
                  {phrase(`stations.lock_${to}`)}
                </DisabledReason>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Group>
  );
}

function lockWords({ state, bay, batteryPercent, alarm }: NonNullable<Connector['groundLock']>): string[] {
  return [
    phrase(`ground-lock.${state}`),
    ...(bay === null ? [] : [phrase(`parking-bay.${bay}`)]),
    ...(batteryPercent === null ? [] : [phrase('stations.lockBattery', { percent: batteryPercent })]),
    ...(alarm === null ? [] : [phrase('stations.lockAlarm', { code: alarm })]),
  ];
}

function OfflineCards({ because, send }: Omit<Props, 'station'>) {
  const [cardNumbers, setCards] = useState<string[]>([]);
  const blocked = because ?? (cardNumbers.length === 0 ? phrase('stations.cardsFirst') : undefined);
  const ask = (kind: 'store-cards' | 'query-cards' | 'clear-cards') =>
    void send(phrase('stations.cardsAsked', { what: phrase(`command.${kind}`), count: cardNumbers.length }), {
      kind,
      cardNumbers,
    });
  return (
    <Group title={phrase('stations.offlineCards')}>
      <Select
        mode="tags"
        open={false}
        suffixIcon={null}
        value={cardNumbers}
        maxCount={cardsMax}
        tokenSeparators={cardSeparators}
        onChange={(numbers: string[]) =>
          setCards([...new Set(numbers.map((number) => number.trim().toUpperCase()))].filter((number) => number !== ''))
        }
        aria-label={phrase('stations.offlineCards')}
        placeholder={phrase('stations.cardsPlaceholder')}
        style={{ width: '100%' }}
      />
      {(['store-cards', 'query-cards', 'clear-cards'] as const).map((kind) => (
        <DisabledReason key={kind} because={blocked} danger={kind === 'clear-cards'} onClick={() => ask(kind)}>
          {phrase(`command.${kind}`)}
        </DisabledReason>
      ))}
    </Group>
  );
}

type FirmwareValues = Extract<StationCommandBody, { kind: 'update-firmware' }>;

function Firmware({ station, because, send }: Props) {
  const confirm = useConfirm();
  const [isOpen, setOpen] = useState(false);
  const required = { required: true, message: phrase('field.required') };
  const ask = (values: Omit<FirmwareValues, 'kind'>) =>
    void confirm({
      question: phrase('stations.firmwareQuestion', { name: station.name }),
      details: phrase('stations.firmwareDetails'),
      verb: phrase('command.update-firmware'),
      danger: true,
      act: async () => void send(phrase('command.update-firmware'), { kind: 'update-firmware', ...values }),
    });
  return (
    <Group title={phrase('stations.firmwareTitle')}>
      {isOpen ? (
        <Form<Omit<FirmwareValues, 'kind'>>
          layout="vertical"
          className={upkeep.firmware}
          initialValues={{ port: 21, when: 'when_idle', timeoutMinutes: 30 }}
          onFinish={ask}
        >
          <Alert type="warning" showIcon title={phrase('stations.firmwareWarning')} />
          <div className={styles.formRow}>
            <Form.Item name="host" label={phrase('stations.ftpHost')} rules={[required]}>
              <Input maxLength={16} className={styles.mono} />
            </Form.Item>
            <Form.Item name="port" label={phrase('stations.serverPort')} rules={[required]}>
              <InputNumber min={1} max={65_535} precision={0} style={{ width: '100%' }} />
            </Form.Item>
          </div>
          <div className={styles.formRow}>
            <Form.Item name="user" label={phrase('stations.ftpUser')} rules={[required]}>
              <Input maxLength={16} autoComplete="off" className={styles.mono} />
            </Form.Item>
            <Form.Item name="password" label={phrase('stations.password')} rules={[required]}>
              <Input.Password maxLength={16} autoComplete="new-password" className={styles.mono} />
            </Form.Item>
          </div>
          <Form.Item name="path" label={phrase('stations.ftpPath')} rules={[required]}>
            <Input maxLength={32} className={styles.mono} />
          </Form.Item>
          <div className={styles.formRow}>
            <Form.Item name="when" label={phrase('stations.firmwareWhen')}>
              <Radio.Group
                optionType="button"
                options={(['when_idle', 'now'] as const).map((value) => ({
                  value,
                  label: phrase(`stations.firmware_${value}`),
                }))}
              />
            </Form.Item>
            <Form.Item name="timeoutMinutes" label={phrase('stations.ftpTimeout')} rules={[required]}>
              <InputNumber min={1} max={255} precision={0} style={{ width: '100%' }} />
            </Form.Item>
          </div>
          <DisabledReason because={because} danger htmlType="submit">
            {phrase('command.update-firmware')}
          </DisabledReason>
        </Form>
      ) : (
        <DisabledReason because={because} onClick={() => setOpen(true)}>
          {phrase('stations.firmwarePrepare')}
        </DisabledReason>
      )}
    </Group>
  );
}
