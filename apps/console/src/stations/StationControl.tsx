import { canCommandStation } from '@voltdeck/charging/abilities';
import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { StationCommand, TriggeredMessage } from '@voltdeck/charging/station-command';
import type { Connector } from '@voltdeck/contract/connectors';
import type { StationDetail } from '@voltdeck/contract/stations';
import { stopOrder } from '@voltdeck/contract/stop-order';
import type { ConnectorId } from '@voltdeck/units/id';
import { Dropdown, Select } from 'antd';
import { Suspense, useState } from 'react';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { type OfferedAct, useOfferedActs } from '../ui/offered-acts.ts';
import { Power } from '../ui/Power.tsx';
import { portText } from '../ui/ports/port-text.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { withWords } from '../words.ts';
import { CommandAnswers } from './CommandAnswers.tsx';
import { PortState } from './PortState.tsx';
import { startRefusal } from './start-refusal.ts';
import styles from './stations.module.css';
import { useCommands } from './use-commands.ts';

const QrDialog = lazyPart(() => import('./QrDialog.tsx'));
const StationUpkeep = lazyPart(() => import('./StationUpkeep.tsx'));
const StartChargeForm = lazyPart(() => import('./StartChargeForm.tsx'));
const TestRunDrawer = lazyPart(withWords(['portTestRuns', 'errors'], () => import('./TestRunDrawer.tsx')));

/** All remote commands of a station by port, with its answers. */
export function StationControl({ station }: { station: StationDetail }) {
  const can = useCan();
  const confirm = useConfirm();
  const { entries, isBusy, send, ask } = useCommands(station.id);
  const [start, setStart] = useState<{ open: boolean; port?: ConnectorId }>({ open: false });
  const [testedId, setTestedId] = useState<ConnectorId | null>(null);
  const tested = station.ports.find(({ id }) => id === testedId);
  const [shownCode, setShownCode] = useState<ConnectorId | null>(null);
  const coded = station.ports.find(({ id }) => id === shownCode);
  const [message, setMessage] = useState<TriggeredMessage>('connector-state');
  const reachable = canCommandStation(station);
  const because = reachable.allowed ? undefined : phrase(`error.${reachable.because}`);
  const knows = (kind: StationCommand['kind']) => protocolTraits[station.protocol].commands.includes(kind);
  const mayAsk = can('station.command') || can('order.start') || can('order.stop');
  const charging = station.ports.filter((port) => port.orderId !== null).length;

  const reset = (mode: 'soft' | 'hard') =>
    void confirm({
      question: phrase(mode === 'soft' ? 'stations.resetSoftQuestion' : 'stations.resetHardQuestion', {
        name: station.name,
      }),
      details: resetDetails(mode, charging),
      verb: phrase(mode === 'soft' ? 'stations.resetSoft' : 'stations.resetHard'),
      danger: true,
      act: async () => {
        void send(phrase(mode === 'soft' ? 'stations.resetSoft' : 'stations.resetHard'), { kind: 'reset', mode });
      },
    });

  const unlock = (port: Connector) => {
    const label = phrase('stations.unlockPort', { number: port.number });
    const act = () => send(label, { kind: 'unlock-connector', connectorNumber: port.number });
    if (port.orderId === null) return void act();
    return void confirm({
      question: phrase('stations.unlockQuestion', { name: station.name, number: port.number }),
      details: phrase('stations.unlockDetails'),
      verb: phrase('command.unlock-connector'),
      danger: true,
      act: async () => void act(),
    });
  };

  const stop = (port: Connector) => {
    const { orderId } = port;
    if (orderId === null) return;
    void confirm({
      question: phrase('stations.stopQuestion', { name: station.name, number: port.number }),
      details: phrase('stations.stopDetails', { number: port.orderNumber ?? nothingText }),
      verb: phrase('orders.stopVerb'),
      danger: true,
      act: async () => {
        void ask(phrase('stations.stopPort', { number: port.number }), async () => {
          const { agreed } = await call(stopOrder, { params: { id: orderId }, quiet: true });
          return agreed
            ? { tone: 'free', text: phrase('command-outcome.accepted') }
            : { tone: 'fault', text: phrase('command-outcome.rejected') };
        });
      },
    });
  };

  const portActs = (port: Connector): (OfferedAct & { short: string })[] => {
    const { number } = port;
    return [
      ...(can('order.start') && port.orderId === null
        ? [
            {
              key: `port.${number}.start`,
              short: phrase('stations.start'),
              label: phrase('stations.startPort', { number }),
              because: startRefusal(port),
              onClick: () => setStart({ open: true, port: port.id }),
            },
          ]
        : []),
      ...(can('order.stop') && port.orderId !== null
        ? [
            {
              key: `port.${number}.stop`,
              short: phrase('stations.stop'),
              label: phrase('stations.stopPort', { number }),
              danger: true,
              because,
              onClick: () => stop(port),
            },
          ]
        : []),
      ...(can('connector.test')
        ? [
            {
              key: `port.${number}.test`,
              short: phrase('stations.testRun'),
              label: phrase('stations.testRunOfPort', { number }),
              onClick: () => setTestedId(port.id),
            },
          ]
        : []),
      {
        key: `port.${number}.qr`,
        short: phrase('stations.qr'),
        label: phrase('stations.qrOfPort', { number }),
        onClick: () => setShownCode(port.id),
      },
      ...(can('station.command') && knows('unlock-connector')
        ? [
            {
              key: `port.${number}.unlock`,
              short: phrase('stations.unlock'),
              label: phrase('stations.unlockPort', { number }),
              because,
              onClick: () => unlock(port),
            },
          ]
        : []),
    ];
  };
  const resets: OfferedAct[] = can('station.command')
    ? [
        { key: 'station.resetSoft', label: phrase('stations.resetSoft'), because, onClick: () => reset('soft') },
        {
          key: 'station.resetHard',
          label: phrase('stations.resetHard'),
          danger: true,
          because,
          onClick: () => reset('hard'),
        },
      ]
    : [];
  useOfferedActs([...station.ports.flatMap(portActs), ...resets]);

  return (
    <div className={styles.control}>
      <ScrollRegion label={phrase('stations.ports')}>
        <table className={styles.figures}>
          <thead>
            <tr>
              <th scope="col">{phrase('stations.port')}</th>
              <th scope="col">{phrase('stations.state')}</th>
              <th scope="col" className={styles.wideOnly}>
                {phrase('stations.since')}
              </th>
              <th scope="col" className={`${styles.right} ${styles.wideOnly}`}>{`${phrase('orders.power')} (kW)`}</th>
              <th scope="col" className={`${styles.right} ${styles.wideOnly}`}>{`${phrase('orders.soc')} (%)`}</th>
              <th scope="col" className={styles.wideOnly}>
                {phrase('stations.currentOrder')}
              </th>
              <th scope="col">
                <span className="for-readers">{phrase('list.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {station.ports.map((port) => (
              <tr key={port.id}>
                <td>{portText({ number: port.number })}</td>
                <td>
                  <PortState port={port} />
                </td>
                <td className={styles.wideOnly}>
                  <Instant at={port.stateSince} />
                </td>
                <td className={`${styles.right} ${styles.wideOnly}`}>
                  <Power w={port.powerW} bare />
                </td>
                <td className={`${styles.right} ${styles.wideOnly}`}>{port.socPercent ?? nothingText}</td>
                <td className={styles.wideOnly}>
                  {port.orderId === null ? (
                    nothingText
                  ) : (
                    <ScreenLink screen="orderListDetailReal" query={{ id: port.orderId }} className={styles.mono}>
                      {port.orderNumber}
                    </ScreenLink>
                  )}
                </td>
                <td className={styles.portActs}>
                  {portActs(port).map(({ key, short, label: _, ...act }) => (
                    <DisabledReason key={key} size="small" {...act}>
                      {short}
                    </DisabledReason>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {can('station.command') ? (
        <div className={styles.commandBar}>
          {resets.map(({ key, label, ...act }) => (
            <DisabledReason key={key} {...act}>
              {label}
            </DisabledReason>
          ))}
          <span className={styles.trigger}>
            <Select<TriggeredMessage>
              aria-label={phrase('stations.messageToTrigger')}
              value={message}
              onChange={setMessage}
              style={{ width: 148 }}
              options={protocolTraits[station.protocol].triggeredMessages.map((value) => ({
                value,
                label: phrase(`triggered-message.${value}`),
              }))}
            />
            <TriggerButton station={station} message={message} because={because} send={send} />
          </span>
        </div>
      ) : null}
      {can('station.command') ? (
        <Suspense>
          <StationUpkeep station={station} because={because} send={send} />
        </Suspense>
      ) : null}
      {mayAsk ? (
        <>
          <h3 className={styles.formHead}>{phrase('stations.answers')}</h3>
          <CommandAnswers entries={entries} />
        </>
      ) : null}
      <span className="for-readers" role="status">
        {isBusy ? phrase('stations.waitingForAnswer') : ''}
      </span>
      <Suspense>
        {coded === undefined ? null : <QrDialog port={coded} open onClose={() => setShownCode(null)} />}
        {tested === undefined ? null : <TestRunDrawer port={tested} open onClose={() => setTestedId(null)} />}
        <StartChargeForm
          key={start.port ?? 'any'}
          ports={station.ports}
          chosen={start.port}
          open={start.open}
          onClose={() => setStart((current) => ({ ...current, open: false }))}
          onStarted={(order) =>
            void ask(phrase('stations.startPort', { number: order.connectorNumber }), async () => ({
              tone: 'free',
              text: phrase('stations.startAgreed', { number: order.number }),
            }))
          }
        />
      </Suspense>
    </div>
  );
}

/** What a restart means for running charges; undefined if there are none. */
function resetDetails(mode: 'soft' | 'hard', charging: number): string | undefined {
  if (charging === 0) return mode === 'soft' ? undefined : phrase('stations.resetHardIdle');
  return phrase(mode === 'soft' ? 'stations.resetSoftDetails' : 'stations.resetHardDetails', { count: charging });
}

/** Requests a message from the whole station, or from one port where the message is about a port. */
function TriggerButton(props: {
  station: StationDetail;
  message: TriggeredMessage;
  because: string | undefined;
  send: ReturnType<typeof useCommands>['send'];
}) {
  const { station, message, because, send } = props;
  const label = phrase('command.trigger-message');
  const ask = (connectorNumber?: number) => {
    const what = phrase(`triggered-message.${message}`);
    const where = connectorNumber === undefined ? '' : ` · ${portText({ number: connectorNumber })}`;
    void send(phrase('stations.triggered', { what: `${what}${where}` }), {
      kind: 'trigger-message',
      message,
      ...(connectorNumber === undefined ? {} : { connectorNumber }),
    });
  };
  const isAboutPorts = message === 'readings' || message === 'connector-state';
  if (because !== undefined || !isAboutPorts) {
    return (
      <DisabledReason because={because} onClick={() => ask()}>
        {label}
      </DisabledReason>
    );
  }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'all', label: phrase('stations.wholeStation'), onClick: () => ask() },
          ...station.ports.map((port) => ({
            key: String(port.number),
            label: portText({ number: port.number }),
            onClick: () => ask(port.number),
          })),
        ],
      }}
    >
      <DisabledReason>{label}</DisabledReason>
    </Dropdown>
  );
}
