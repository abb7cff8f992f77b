import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { protocols } from '@voltdeck/charging/states';
import {
  type BulkCommandKind,
  bulkCommandBodies,
  commandedStationsMax,
  listStations,
  type Station,
  startStationCommands,
} from '@voltdeck/contract/stations';
import { listTasks } from '@voltdeck/contract/tasks';
import { Alert, App, Button, Form, Select } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useGo, useMayGo } from '../session/use-go.ts';
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

/** Asks the same of many stations, as a background task. */
export default function CommandManyForm({ stations, firstKind, open, onClose, onStarted }: Props) {
  const go = useGo();
  const mayGo = useMayGo();
  const { message } = App.useApp();
  const [search] = useSearchParams();
  const query = filterIn(listStations, search);
  const totals = useAnswer(listStations.totals, { query: query as never }, { enabled: open && stations === null });
  const known = commandsOf(stations === null ? protocols : stations.map(({ protocol }) => protocol));
  const [chosen, setKind] = useState<BulkCommandKind | null>(firstKind ?? null);
  const kind = chosen !== null && known.includes(chosen) ? chosen : (known[0] ?? 'reset');
  const [form] = Form.useForm();
  const lacking = stations?.filter(({ protocol }) => !protocolTraits[protocol].commands.includes(kind)).length ?? 0;
  const total = stations?.length ?? totals.data?.total ?? null;
  const tooMany = stations === null && (total ?? 0) > commandedStationsMax;
  return (
    <RouteForm
      form={form}
      route={{ ...startStationCommands, body: bulkCommandBodies[kind] } as unknown as typeof startStationCommands}
      title={
        total === null
          ? phrase('stations.commandMany')
          : phrase('stations.commandManyTitle', { count: countText(total) })
      }
      submitLabel={phrase('stations.commandManyVerb', { command: phrase(`command.${kind}`) })}
      danger={isDisruptive(kind)}
      given={
        {
          kind,
          ...(stations === null ? { query } : { stationIds: stations.map(({ id }) => id) }),
        } as never
      }
      initial={commandDefaults as never}
      fields={commandFields[kind]() as never}
      intro={
        <>
          <p className={styles.formIntro}>
            {phrase(stations === null ? 'stations.commandManyFiltered' : 'stations.commandManyChosen')}
          </p>
          <Form.Item label={phrase('stations.commandKind')} required layout="vertical">
            <Select<BulkCommandKind>
              aria-label={phrase('stations.commandKind')}
              value={kind}
              onChange={setKind}
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
          {isDisruptive(kind) ? (
            <Alert
              className={styles.formAlert ?? ''}
              type="warning"
              showIcon
              title={phrase(kind === 'update-firmware' ? 'stations.firmwareWarning' : 'stations.commandManyDisruptive')}
            />
          ) : null}
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
