import { listPartnerExchanges } from '@voltdeck/contract/partner-deliveries';
import { listPartnerMovements, listPartnerPayments } from '@voltdeck/contract/partner-deposits';
import {
  getPartner,
  type KeySet,
  keyDirections,
  listPartners,
  type Partner,
  type PartnerDetail,
} from '@voltdeck/contract/partners';
import type { PartnerId } from '@voltdeck/units/id';
import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, moneyText, nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { LatestPanel } from '../ui/LatestPanel.tsx';
import { useActs } from '../ui/list/use-acts.tsx';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { useTabTitle } from '../ui/tab-title.ts';
import ConnectionTest from './ConnectionTest.tsx';
import styles from './interop.module.css';
import { partnerActs } from './partner-acts.tsx';

const latestShownMax = 10;
/** Deleting is an act of the list: this page would have nothing left to show. */
const { add: _add, delete: _delete, ...actsOfPage } = partnerActs;

/** One operator: who it is, its keys, the sites open to it and its money; /supOperatorDetail?id=. */
export default function PartnerPage() {
  const id = useRecordId<PartnerId>();
  if (id === null) {
    return (
      <EmptyState
        title={phrase('interop.noSuch')}
        action={
          <ScreenLink screen="supOperatorList">
            {phrase('shell.backToList', { list: phrase('interop.title') })}
          </ScreenLink>
        }
      />
    );
  }
  return <PartnerOf key={id} id={id} />;
}

function PartnerOf({ id }: { id: PartnerId }) {
  const can = useCan();
  const answer = useAnswer(getPartner, { params: { id } });
  useTabTitle(answer.data?.name);
  const { actsOf, overlay } = useActs<Partner>(actsOfPage, answer.data === undefined ? undefined : [answer.data], {
    list: listPartners,
    one: getPartner,
  });
  const acts = answer.data === undefined ? [] : actsOf(answer.data);
  useOfferedActs(acts.map((act) => ({ ...act, key: `partner.${act.key}` })));
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 8 }} className={styles.page ?? ''} />;
  if (answer.data === undefined) {
    const absent = {
      title: phrase('interop.noSuch'),
      list: 'supOperatorList',
      listName: phrase('interop.title'),
    } as const;
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const partner = answer.data;
  return (
    <div className={styles.page}>
      <section className={styles.head} aria-label={partner.name}>
        <div className={styles.headLine}>
          <h1 className={styles.name}>{partner.name}</h1>
          <StateTag tone={partner.enabled ? 'free' : 'offline'}>
            {phrase(partner.enabled ? 'interop.on' : 'interop.off')}
          </StateTag>
          <div className={styles.acts}>
            {acts.map(({ key, label, danger, because, onClick }) => (
              <DisabledReason key={key} danger={danger} because={because} onClick={onClick}>
                {label}
              </DisabledReason>
            ))}
          </div>
        </div>
      </section>
      <Facts partner={partner} />
      <InterfacesElsewhere partner={partner} />
      <Keys partner={partner} />
      <Sites partner={partner} />
      {can('partner.edit') ? (
        <Panel title={phrase('connection.panel')}>
          <ConnectionTest id={id} />
        </Panel>
      ) : null}
      <Movements id={id} />
      <Payments id={id} />
      {can('partner.exchanges') ? <Exchanges id={id} /> : null}
      {overlay}
    </div>
  );
}

function Facts({ partner }: { partner: PartnerDetail }) {
  const textOf = (value: string) => (value === '' ? nothingText : value);
  const facts: readonly (readonly [label: Parameters<typeof phrase>[0], value: ReactNode])[] = [
    ['interop.operatorId', <CopyNumber key="code" value={partner.operatorId} />],
    ['interop.role', phrase(`partner-role.${partner.role}`)],
    ['interop.environment', phrase(`partner-environment.${partner.environment}`)],
    ['interop.ownOperatorId', partner.ownOperatorId ?? phrase('interop.ownCodeMissing')],
    ['interop.platformName', textOf(partner.platformName)],
    ['interop.dockingCode', textOf(partner.dockingCode)],
    ['interop.creditCode', textOf(partner.creditCode)],
    ['interop.contact', textOf(partner.contact)],
    ['interop.contactPhone', textOf(partner.contactPhone)],
    ['interop.servicePhone', textOf(partner.servicePhone)],
    ['interop.secondServicePhone', textOf(partner.secondServicePhone)],
    ['interop.address', textOf(partner.address)],
    ['interop.baseUrl', <CopyNumber key="url" value={partner.baseUrl} />],
    ['interop.allowedAddresses', partner.allowedAddresses.join(' ') || phrase('interop.anyAddress')],
    ['interop.balance', moneyText(partner.balanceFen)],
    ['interop.held', moneyText(partner.heldFen)],
    ['interop.owed', moneyText(partner.owedFen)],
    ['interop.payable', moneyText(partner.payableFen)],
    ['interop.tariff', partner.tariffName ?? phrase('interop.stationsTariff')],
    ['interop.pending', countText(partner.pendingDeliveries)],
    ['interop.failed', countText(partner.failedDeliveries)],
    ['interop.remark', textOf(partner.remark)],
  ];
  return (
    <Panel title={phrase('interop.facts')}>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{phrase(label)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Most partners have all their interfaces below one address. */
function InterfacesElsewhere({ partner: { interfaceUrls } }: { partner: PartnerDetail }) {
  const urls = Object.entries(interfaceUrls);
  if (urls.length === 0) return null;
  return (
    <Panel title={phrase('interop.interfaceUrls')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{phrase('exchanges.interface')}</th>
            <th>{phrase('interop.interfaceAddress')}</th>
          </tr>
        </thead>
        <tbody>
          {urls.map(([name, url]) => (
            <tr key={name}>
              <td>{name}</td>
              <td>
                <CopyNumber value={url} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

/** Since when and until when keys hold; the keys themselves were shown once. */
function Keys({ partner: { keys } }: { partner: PartnerDetail }) {
  return (
    <Panel title={phrase('interop.keys')}>
      {keyDirections.map((direction) => (
        <section key={direction} aria-label={phrase(`key-direction.${direction}`)}>
          <h3 className={styles.direction}>{phrase(`key-direction.${direction}`)}</h3>
          {keys[direction].length === 0 ? phrase('interop.noKeys') : <KeySets sets={keys[direction]} />}
        </section>
      ))}
    </Panel>
  );
}

function KeySets({ sets }: { sets: readonly KeySet[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>{phrase('interop.keysHint')}</th>
          <th>{phrase('interop.keysFrom')}</th>
          <th>{phrase('interop.keysUntil')}</th>
          <th>{phrase('interop.keysBy')}</th>
        </tr>
      </thead>
      <tbody>
        {sets.map(({ hint, from, until, userName }) => (
          <tr key={from}>
            <td>{hint}</td>
            <td>
              <Instant at={from} />
            </td>
            <td>{until === null ? phrase('interop.keysPresent') : <Instant at={until} />}</td>
            <td>{userName ?? nothingText}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Sites({ partner: { sites, tariffName: partnersRule } }: { partner: PartnerDetail }) {
  return (
    <Panel title={phrase('interop.sitesPanel')}>
      {sites.length === 0 ? (
        phrase('interop.noSites')
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th>{phrase('interop.site')}</th>
              <th>{phrase('interop.tariff')}</th>
              <th>{phrase('interop.openedAt')}</th>
            </tr>
          </thead>
          <tbody>
            {sites.map(({ siteId, siteName, opened, tariffName, openedAt }) => (
              <tr key={siteId}>
                <td>
                  {siteName} {opened ? null : <StateTag tone="offline">{phrase('interop.siteWithdrawn')}</StateTag>}
                </td>
                <td>{tariffName ?? partnersRule ?? phrase('interop.stationsTariff')}</td>
                <td>
                  <Instant at={openedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Movements({ id }: { id: PartnerId }) {
  const answer = useAnswer(listPartnerMovements, { query: { partnerId: id, pageSize: latestShownMax } });
  return (
    <LatestPanel
      title={phrase('interop.movementsPanel')}
      width="whole"
      all={null}
      answer={answer}
      empty={phrase('interop.noMovements')}
      heads={[
        { title: phrase('movements.number'), cell: ({ number }) => <CopyNumber value={number} /> },
        { title: phrase('movements.createdAt'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
        { title: phrase('movements.type'), isWords: true, cell: ({ type }) => phrase(`movement-type.${type}`) },
        { title: phrase('movements.amount'), isRight: true, cell: ({ amountFen }) => moneyText(amountFen) },
        { title: phrase('movements.balanceAfter'), isRight: true, cell: (move) => moneyText(move.balanceAfterFen) },
        { title: phrase('interop.remark'), isWords: true, cell: ({ remark }) => remark },
      ]}
    />
  );
}

function Payments({ id }: { id: PartnerId }) {
  const answer = useAnswer(listPartnerPayments, { query: { partnerId: id, pageSize: latestShownMax } });
  return (
    <LatestPanel
      title={phrase('interop.paymentsPanel')}
      width="whole"
      all={null}
      answer={answer}
      empty={phrase('interop.noPayments')}
      heads={[
        { title: phrase('movements.createdAt'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
        { title: phrase('interop.payAmount'), isRight: true, cell: ({ amountFen }) => moneyText(amountFen) },
        { title: phrase('interop.payableAfter'), isRight: true, cell: (paid) => moneyText(paid.payableAfterFen) },
        { title: phrase('recharges.operatorName'), isWords: true, cell: (paid) => paid.operatorName ?? nothingText },
        { title: phrase('interop.remark'), isWords: true, cell: ({ remark }) => remark },
      ]}
    />
  );
}

/** What was said with it last. */
function Exchanges({ id }: { id: PartnerId }) {
  const query = { partnerId: id, pageSize: latestShownMax, total: 'none' } as const;
  const answer = useAnswer(listPartnerExchanges, { query });
  return (
    <LatestPanel
      title={phrase('connection.exchangesPanel')}
      width="whole"
      all={
        <ScreenLink screen="platformList" query={{ view: 'exchanges', partnerId: id }}>
          {phrase('interop.all')}
        </ScreenLink>
      }
      answer={answer}
      empty={phrase('connection.noExchanges')}
      heads={[
        { title: phrase('exchanges.at'), cell: ({ at }) => <Instant at={at} /> },
        { title: phrase('exchanges.direction'), cell: ({ direction }) => phrase(`exchange-way.${direction}`) },
        { title: phrase('exchanges.interface'), cell: ({ interfaceName }) => interfaceName },
        { title: phrase('deliveries.ret'), isRight: true, cell: ({ ret }) => ret ?? nothingText },
        { title: phrase('deliveries.httpStatus'), isRight: true, cell: ({ httpStatus }) => httpStatus ?? nothingText },
        { title: phrase('exchanges.took'), isRight: true, cell: ({ tookMs }) => countText(tookMs) },
      ]}
    />
  );
}
