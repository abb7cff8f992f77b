import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { protocols } from '@voltdeck/charging/states';
import type { BulkCommandKind } from '@voltdeck/charging/station-command';
import { listConnectors } from '@voltdeck/contract/connectors';
import { bulkCommandBodies, commandedStationsMax, startStationCommands } from '@voltdeck/contract/station-commands';
import { listStations, type Station } from '@voltdeck/contract/stations';
import { listTasks } from '@voltdeck/contract/tasks';
import { Alert, App, Button, Form, Select } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { useGo, useMayGo } from '../session/use-go.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { countText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { commandDefaults, commandFields, commandsOf, isDisruptive } from './command-fields.ts';
import { filterIn } from './filter-in.ts';
import styles from './stations.module.css';

type Props = {
  /** The selected stations; null for everything that the list's filter matches. */
  stations: readonly Station[] | null;
  /** The command to begin with. */
  firstKind?: BulkCommandKind | undefined;
  open: boolean;
  onClose: () => void;
  onStarted: () => void;
};

/** A command that asks for nothing: the form's body until a command is chosen. */
const plainKind = 'set-clock' satisfies BulkCommandKind;

/** The filters that ports share with stations: by them alone the running charges can be counted. */
const sharedFilters: ReadonlySet<string> = new Set(['siteId', 'agentId', 'equipmentType']);

/** Asks the same of many stations, as a background task. */
export default function CommandManyForm({ stations, firstKind, open, onClose, onStarted }: Props) {
  const go = useGo();
  const mayGo = useMayGo();
  const can = useCan();
  const confirm = useConfirm();
  const { message } = App.useApp();
  const [search] = useSearchParams();
  const query = filterIn(listStations, search);
  const totals = useAnswer(listStations.totals, { query: query as never }, { enabled: open && stations === null });
  const known = commandsOf(stations === null ? protocols : stations.map(({ protocol }) => protocol));
  const [chosen, setKind] = useState<BulkCommandKind | null>(firstKind ?? null);
  const [isMissing, setMissing] = useState(false);
  const kind = chosen !== null && known.includes(chosen) ? chosen : null;
  const isDangerous = kind !== null && isDisruptive(kind);
  const isCountable = stations === null && Object.keys(query).every((name) => sharedFilters.has(name));
  const charging = useAnswer(
    listConnectors.totals,
    { query: { ...query, state: 'charging' } as never },
    { enabled: open && isDangerous && isCountable && can('connector.read') },
  );
  const [form] = Form.useForm();
  const lacking =
    kind === null
      ? 0
      : (stations?.filter(({ protocol }) => !protocolTraits[protocol].commands.includes(kind)).length ?? 0);
  const total = stations?.length ?? totals.data?.total ?? null;
  const tooMany = stations === null && (total ?? 0) > commandedStationsMax;
  const count = total === null ? '…' : countText(total - lacking);
  const dangerText = phrase(kind === 'update-firmware' ? 'stations.firmwareWarning' : 'stations.commandManyDisruptive');
  const busyText = () => {
    if (stations !== null) {
      const occupied = stations.reduce((sum, { connectors }) => sum + connectors.occupied, 0);
      return phrase('stations.commandManyOccupied', { count: occupied });
    }
    return charging.data === undefined ? null : phrase('stations.commandManyCharging', { count: charging.data.total });
  };
  const asksFirst = async () => {
    if (kind === null) {
      setMissing(true);
      return false;
    }
    if (!isDangerous) return true;
    const busy = busyText();
    return confirm({
      question: phrase('stations.commandManyQuestion', { command: phrase(`command.${kind}`), count }),
      details: (
        <>
          {stations === null && Object.keys(query).length === 0 ? (
            <div>{phrase('stations.commandManyUnfiltered')}</div>
          ) : null}
          {busy === null ? null : <div>{busy}</div>}
          <div>{dangerText}</div>
        </>
      ),
      verb: phrase('stations.commandManyVerb', { command: phrase(`command.${kind}`), count }),
      danger: true,
    });
  };
  return (
    <RouteForm
      form={form}
      route={
        {
          ...startStationCommands,
          body: bulkCommandBodies[kind ?? plainKind],
        } as unknown as typeof startStationCommands
      }
      title={
        total === null
          ? phrase('stations.commandMany')
          : phrase('stations.commandManyTitle', { count: countText(total) })
      }
      submitLabel={
        kind === null
          ? phrase('stations.commandMany')
          : phrase('stations.commandManyVerb', { command: phrase(`command.${kind}`), count })
      }
      danger={isDangerous}
      asksFirst={asksFirst}
      given={
        {
          kind: kind ?? plainKind,
          ...(stations === null ? { query } : { stationIds: stations.map(({ id }) => id) }),
        } as never
      }
      initial={commandDefaults as never}
      fields={(kind === null ? {} : commandFields[kind]()) as never}
      intro={
        <>
          <p className={styles.formIntro}>
            {phrase(stations === null ? 'stations.commandManyFiltered' : 'stations.commandManyChosen')}
          </p>
          <Form.Item
            label={phrase('stations.commandKind')}
            required
            layout="vertical"
            {...(isMissing ? { validateStatus: 'error', help: phrase('field.required') } : {})}
          >
            <Select<BulkCommandKind>
              aria-label={phrase('stations.commandKind')}
              value={kind}
              onChange={(next) => {
                setKind(next);
                setMissing(false);
              }}
              options={known.map((value) => ({ value, label: phrase(`command.${value}`) }))}
            />
          </Form.Item>
          {lacking === 0 ? null : (
            <Alert
              className={styles.formAlert ?? ''}
              type="info"
              showIcon
              title={phrase('stations.commandManyLacking', { count: lacking })}
            />
          )}
          {tooMany ? (
            <Alert
              className={styles.formAlert ?? ''}
              type="error"
              showIcon
              title={phrase('error.station.too_many', { max: countText(commandedStationsMax) })}
            />
          ) : null}
          {isDangerous ? <Alert className={styles.formAlert ?? ''} type="warning" showIcon title={dangerText} /> : null}
        </>
      }
      refreshes={[listTasks]}
      open={open}
      onClose={onClose}
      onSaved={({ taskId, stations: count, skipped }) => {
        onStarted();
        void message.success(
          <>
            {phrase(skipped === 0 ? 'stations.commandManyStarted' : 'stations.commandManyStartedSome', {
              count,
              skipped,
            })}{' '}
            {mayGo('taskDetail') ? (
              <Button type="link" size="small" onClick={() => go('taskDetail', { id: taskId })}>
                {phrase('stations.commandManyShow')}
              </Button>
            ) : null}
          </>,
        );
        if (!mayGo('taskDetail')) return;
        // Closed first: the form is in the address of the list, which going leaves.
        onClose();
        go('taskDetail', { id: taskId });
      }}
    />
  );
}
