import {
  countOrders,
  getOrder,
  listOrderReadings,
  listOrders,
  type Order,
  type OrderDetail,
  settleOrder,
  sumOrders,
} from '@voltdeck/contract/orders';
import { instant } from '@voltdeck/units/instant';
import { Alert, DatePicker, Form, Input, InputNumber } from 'antd';
import type { Dayjs } from 'dayjs';
import { call } from '../api/call.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';
import { energyText, moneyText } from '../ui/figures.ts';
import { isoOfWallTime, wallTimeNow, wallTimeOf } from '../ui/list/wall-time.ts';
import styles from './order-page.module.css';
import { instantOf, ruleOf, type SettlePreview, settlePreview } from './settle-preview.ts';
import { spanText } from './span-text.ts';
import { wordFor } from './words.ts';

type Values = { energyWh: number; endedAt: Dayjs; reason: string };

/** 10 MWh, the contract's limit. */
const energyKwhMax = 10_000;

/** Closes by hand a charge whose end never came, and shows what that means before it is done. */
export default function SettleOrderForm({
  order,
  open,
  onClose,
}: {
  order: Order;
  open: boolean;
  onClose: () => void;
}) {
  const [form] = Form.useForm<Values>();
  const refresh = useRefresh();
  const detail = useAnswer(getOrder, { params: { id: order.id } }, { enabled: open });
  const readings = useAnswer(listOrderReadings, { params: { id: order.id } }, { enabled: open });
  const last = (readings.data ?? []).findLast((reading) => reading.energyWh !== null);
  const proposal = detail.data?.proposal ?? null;
  const values: Partial<Values> = Form.useWatch([], form) ?? {};
  const firstEndedAt = proposal?.endedAt ?? order.endedAt ?? last?.at ?? order.startedAt;
  const initial = {
    energyWh: (proposal?.energyWh ?? Math.max(order.energyWh, last?.energyWh ?? 0)) / 1000,
    endedAt: wallTimeOf(firstEndedAt ?? undefined) ?? wallTimeNow(instant(Date.now())),
  };
  /** A picker knows seconds; an end that nobody changed stays the very instant. */
  const byHandOf = ({ energyWh, endedAt }: Pick<Values, 'energyWh' | 'endedAt'>) => ({
    energyWh: Math.round(energyWh * 1000),
    endedAt: firstEndedAt !== null && endedAt.isSame(initial.endedAt) ? firstEndedAt : isoOfWallTime(endedAt),
  });
  const preview = previewOf(detail.data, values, byHandOf);
  return (
    <FormDrawer<Values, unknown>
      title={phrase('orders.settleTitle', { number: order.number })}
      // The form begins with what the meter said last, so it waits for the readings.
      open={open && !readings.isPending && !detail.isPending}
      onClose={onClose}
      form={form}
      initial={initial}
      submitLabel={
        preview?.kind === 'bill'
          ? phrase('orders.settleVerbAmount', { amount: moneyText(preview.bill.amountFen) })
          : phrase('orders.settleVerb')
      }
      submit={(values, idempotencyKey) =>
        call(settleOrder, {
          params: { id: order.id },
          body: { ...byHandOf(values), reason: values.reason },
          idempotencyKey,
          quiet: true,
        })
      }
      fieldOf={{ 'order.energy_below_zero': 'energyWh' }}
      onDone={() => void refresh(listOrders, getOrder, sumOrders, countOrders)}
    >
      <p className={styles.formIntro}>
        {phrase(proposal === null ? 'orders.settleIntro' : 'orders.settleIntroProposal')}
      </p>
      <Form.Item
        name="energyWh"
        label={`${phrase('orders.energy')} (kWh)`}
        extra={[
          ...(proposal === null ? [] : [phrase('orders.settleProposal', { energy: energyText(proposal.energyWh, 3) })]),
          last?.energyWh == null
            ? phrase('orders.settleNoReading')
            : phrase('orders.settleLastReading', { energy: energyText(last.energyWh, 3) }),
        ].join(' · ')}
        rules={[{ required: true, message: phrase('field.required') }]}
      >
        <InputNumber min={0} max={energyKwhMax} precision={3} style={{ width: '100%' }} />
      </Form.Item>
      <Form.Item
        name="endedAt"
        label={phrase('orders.endedAt')}
        extra={phrase('shell.zone')}
        rules={[{ required: true, message: phrase('field.required') }]}
      >
        <DatePicker showTime format="YYYY-MM-DD HH:mm:ss" style={{ width: '100%' }} />
      </Form.Item>
      <Form.Item
        name="reason"
        label={phrase('orders.reasonHead')}
        rules={[
          { required: true, whitespace: true, message: phrase('field.required') },
          { min: 2, message: phrase('field.too_short', { min: 2 }) },
        ]}
      >
        <Input.TextArea rows={3} maxLength={200} showCount placeholder={phrase('orders.settleReasonHint')} />
      </Form.Item>
      <Meaning preview={preview} />
    </FormDrawer>
  );
}

function previewOf(
  detail: OrderDetail | undefined,
  { energyWh, endedAt }: Partial<Values>,
  byHandOf: (values: Pick<Values, 'energyWh' | 'endedAt'>) => { energyWh: number; endedAt: string },
): SettlePreview | null {
  if (detail === undefined || energyWh == null || endedAt == null) return null;
  const byHand = byHandOf({ energyWh, endedAt });
  return settlePreview({
    tariff: ruleOf(detail),
    startedAt: instantOf(detail.startedAt),
    byHand: { energyWh: byHand.energyWh, endedAt: instant(Date.parse(byHand.endedAt)) },
    proposal: detail.proposal,
    heldFen: detail.heldFen,
  });
}

/** The bill and the money that would move, as one sees it before agreeing. */
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
