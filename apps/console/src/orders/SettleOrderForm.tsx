import { listAbnormalOrders } from '@voltdeck/contract/abnormal-orders';
import {
  getOrder,
  listOrderReadings,
  listOrders,
  type Order,
  type OrderDetail,
  settleOrder,
} from '@voltdeck/contract/orders';
import { instant } from '@voltdeck/units/instant';
import { Alert } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { energyText, moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import styles from './order-page.module.css';
import { instantOf, ruleOf, type SettlePreview, settlePreview } from './settle-preview.ts';
import { spanText } from './span-text.ts';
import { wordFor } from './words.ts';

type Props = { order: Order; open: boolean; onClose: () => void };

/** Settles by hand a charge whose end never arrived, with a preview of the bill. */
export default function SettleOrderForm({ order, open, onClose }: Props) {
  const detail = useAnswer(getOrder, { params: { id: order.id } }, { enabled: open });
  const readings = useAnswer(listOrderReadings, { params: { id: order.id } }, { enabled: open });
  const last = (readings.data ?? []).findLast((reading) => reading.energyWh !== null);
  const proposal = detail.data?.proposal ?? null;
  return (
    <RouteForm
      route={settleOrder}
      params={{ id: order.id }}
      title={phrase('orders.settleTitle', { number: order.number })}
      // The form starts with the last meter reading, so it waits for the readings.
      open={open && !readings.isPending && !detail.isPending}
      onClose={onClose}
      initial={{
        energyWh: proposal?.energyWh ?? Math.max(order.energyWh, last?.energyWh ?? 0),
        endedAt: proposal?.endedAt ?? latest(order.startedAt, order.endedAt ?? last?.at) ?? new Date().toISOString(),
      }}
      submitLabel={(values) => {
        const preview = previewOf(detail.data, values);
        return preview?.kind === 'bill'
          ? phrase('orders.settleVerbAmount', { amount: moneyText(preview.bill.amountFen) })
          : phrase('orders.settleVerb');
      }}
      intro={
        <>
          <p className={styles.formIntro}>
            {phrase(proposal === null ? 'orders.settleIntro' : 'orders.settleIntroProposal')}
          </p>
          {order.state === 'charging' && !order.stationOnline ? (
            <Alert type="warning" showIcon className={styles.settleAway ?? ''} title={phrase('orders.settleAway')} />
          ) : null}
        </>
      }
      fields={{
        energyWh: {
          label: 'orders.energy',
          hint: () =>
            [
              ...(proposal === null
                ? []
                : [phrase('orders.settleProposal', { energy: energyText(proposal.energyWh, 3) })]),
              last?.energyWh == null
                ? phrase('orders.settleNoReading')
                : phrase('orders.settleLastReading', { energy: energyText(last.energyWh, 3) }),
            ].join(' · '),
        },
        endedAt: {
          label: 'orders.endedAt',
          hint: 'shell.zone',
          check: (endedAt) =>
            order.startedAt !== null && Date.parse(endedAt) < Date.parse(order.startedAt)
              ? phrase('orders.settleEndsTooEarly')
              : null,
        },
        reason: { label: 'orders.reasonHead', rows: 3, placeholder: 'orders.settleReasonHint' },
      }}
      fieldOf={{ 'order.energy_below_zero': 'energyWh' }}
      refreshes={[listOrders, listAbnormalOrders, getOrder]}
    >
      {(values) => <Meaning preview={previewOf(detail.data, values)} />}
    </RouteForm>
  );
}

/** The later of two instants. */
function latest(one: string | null, other: string | null | undefined): string | null {
  if (one === null || other == null) return one ?? other ?? null;
  return Date.parse(one) > Date.parse(other) ? one : other;
}

type ByHand = { energyWh?: number | undefined; endedAt?: string | undefined };

function previewOf(detail: OrderDetail | undefined, { energyWh, endedAt }: ByHand): SettlePreview | null {
  if (detail === undefined || energyWh === undefined || endedAt === undefined) return null;
  return settlePreview({
    tariff: ruleOf(detail),
    startedAt: instantOf(detail.startedAt),
    byHand: { energyWh, endedAt: instant(Date.parse(endedAt)) },
    proposal: detail.proposal,
    heldFen: detail.heldFen,
  });
}

/** The bill and the transfers that the settlement would cause. */
function Meaning({ preview }: { preview: SettlePreview | null }) {
  if (preview === null) return null;
  if (preview.kind === 'ends-too-early')
    return <Alert type="warning" showIcon title={phrase('orders.settleEndsTooEarly')} />;
  if (preview.kind === 'no-rule') return <Alert type="warning" showIcon title={phrase('orders.settleNoRule')} />;
  const { bill } = preview;
  return (
    <section className={styles.meaning} aria-live="polite" aria-label={phrase('orders.settleMeaning')}>
      <h3>{phrase('orders.settleMeaning')}</h3>
      <ul>
        {bill.lines.map((line) => (
          <li key={line.from}>
            <span className="figure">
              {spanText(new Date(line.from).toISOString(), new Date(line.to).toISOString())}
            </span>
            <span>{line.kind === 'energy' ? wordFor('period', line.period) : null}</span>
            <span className="figure">{energyText(line.energyWh, 3)} kWh</span>
            <span className="figure">{moneyText(line.electricityFeeFen + line.serviceFeeFen)}</span>
          </li>
        ))}
        <li className={styles.meaningSum}>
          <span>{phrase('orders.total')}</span>
          <span />
          <span className="figure">{energyText(bill.energyWh, 3)} kWh</span>
          <span className="figure">{moneyText(bill.amountFen)}</span>
        </li>
      </ul>
      <p>
        {preview.isSpread ? `${phrase('orders.settleSpread')} ` : ''}
        {phrase('orders.settleFromHeld', { amount: moneyText(preview.fromHeldFen) })}
        {preview.beyondHeldFen > 0
          ? ` ${phrase('orders.settleBeyond', { amount: moneyText(preview.beyondHeldFen) })}`
          : ''}
        {preview.givenBackFen > 0
          ? ` ${phrase('orders.settleGivenBack', { amount: moneyText(preview.givenBackFen) })}`
          : ''}
      </p>
    </section>
  );
}
