import { listConnectors } from '@voltdeck/contract/connectors';
import {
  changeStations,
  type StationActKind,
  stationActBodies,
  stationActKinds,
} from '@voltdeck/contract/station-acts';
import { commandedStationsMax } from '@voltdeck/contract/station-commands';
import { getStation, listStations, type Station } from '@voltdeck/contract/stations';
import { Alert, App, Form, Select } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { countText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { filterIn } from './filter-in.ts';
import styles from './stations.module.css';

type Props = {
  /** The selected stations; null for everything that the list's filter matches. */
  stations: readonly Station[] | null;
  open: boolean;
  onClose: () => void;
  onChanged: () => void;
};

const fields = {
  'set-card-rule': { cardTariffId: { label: 'stations.cardTariff' } },
  'set-wechat-rule': { wechatTariffId: { label: 'stations.wechatTariff', hint: 'stations.changeNoWechatRule' } },
  'move-to-site': { siteId: { label: 'stations.site', hint: 'stations.changeSiteHint' } },
  'hand-to-agent': { agentId: { label: 'stations.agent', hint: 'stations.changeAgentHint' } },
  'extend-expiry': {
    months: { label: 'stations.changeMonths', hint: 'stations.changeMonthsHint' },
    expiresOn: { label: 'stations.changeExpiresOn' },
  },
  enable: {},
  disable: {},
} as const satisfies Record<StationActKind, object>;

/** Only the platform takes stations back. */
const handedInTree = { agentId: { label: 'stations.agent', requiredIf: () => true } } as const;

const refusedShown = 10;
const refusedSeconds = 12;

/** Changes one thing of many stations: all of them or none. */
export default function ChangeManyForm({ stations, open, onClose, onChanged }: Props) {
  const { user } = useSession();
  const { message } = App.useApp();
  const [search] = useSearchParams();
  const query = filterIn(listStations, search);
  const totals = useAnswer(listStations.totals, { query: query as never }, { enabled: open && stations === null });
  const isPlatform = user.dataScope === 'platform';
  const mayHand = isPlatform || user.dataScope === 'agent_tree';
  const known = stationActKinds.filter((one) => one !== 'hand-to-agent' || mayHand);
  const [kind, setKind] = useState<StationActKind>('set-card-rule');
  const [form] = Form.useForm();
  const total = stations?.length ?? totals.data?.total ?? null;
  const count = total === null ? '…' : countText(total);
  const tooMany = stations === null && (total ?? 0) > commandedStationsMax;
  return (
    <RouteForm
      form={form}
      route={{ ...changeStations, body: stationActBodies[kind] } as unknown as typeof changeStations}
      title={phrase('stations.changeManyTitle', { count })}
      submitLabel={phrase('stations.changeManyVerb', { act: phrase(`station-act.${kind}`), count })}
      danger={kind === 'disable'}
      given={{ kind, ...(stations === null ? { query } : { stationIds: stations.map(({ id }) => id) }) } as never}
      fields={(kind === 'hand-to-agent' && !isPlatform ? handedInTree : fields[kind]) as never}
      intro={
        <>
          <p className={styles.formIntro}>
            {phrase(stations === null ? 'stations.changeManyFiltered' : 'stations.changeManyChosen', { count })}
          </p>
          <Form.Item label={phrase('stations.changeKind')} layout="vertical">
            <Select<StationActKind>
              aria-label={phrase('stations.changeKind')}
              value={kind}
              onChange={setKind}
              options={known.map((value) => ({ value, label: phrase(`station-act.${value}`) }))}
            />
          </Form.Item>
          {tooMany ? (
            <Alert
              className={styles.formAlert ?? ''}
              type="error"
              showIcon
              title={phrase('error.station.too_many', { max: countText(commandedStationsMax) })}
            />
          ) : null}
        </>
      }
      refreshes={[listStations, listConnectors, getStation]}
      open={open}
      onClose={onClose}
      onSaved={({ changed, refused: found, refusedCount }) => {
        if (refusedCount > 0) {
          const numbers = found.slice(0, refusedShown).map(({ number }) => number);
          const text = phrase('stations.changeRefused', { count: refusedCount });
          void message.error(`${text} (${numbers.join(', ')})`, refusedSeconds);
          return;
        }
        onChanged();
        void message.success(phrase('stations.changedMany', { count: changed }));
      }}
    />
  );
}
