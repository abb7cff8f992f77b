import type { Api } from '@voltdeck/journeys/api';
import type { Database } from '@voltdeck/server/database/database';
import type { ChargingNetwork } from './charging-network.ts';
import { beginCharge } from './told-charge.ts';

/** What money screens show in a walk over all screens. */
export const walkedMoney = {
  customerPhone: '13900000001',
  /** Charged for more than was on it. */
  debtor: '00000000000000B3',
  transfer: '换卡后余额转入新账户',
  gift: '充电中断的补偿',
  payee: '王建国',
  invoiceTitle: '西湖物流有限公司',
  coupon: '新用户服务费立减',
  promotion: '国庆充值活动',
  writeOff: '联系不上车主，无法追回',
  credit: '人工核实后恢复信用分',
  gridAccount: '3301060001',
} as const;

/**
 * A record of everything by which money moves, so that no list of it is empty: a transfer, a gift, a coupon that was
 * given, a promotion, a withdrawal, an invoice, a bill of the grid, points of
 * credit, a debt, and a write-off that waits for a second person.
 */
export async function moveMoney({ api, siteId, free, charging, orders }: ChargingNetwork): Promise<void> {
  const customerPhone = walkedMoney.customerPhone;
  const { cardNumber } = charging;
  const customer = { fromCardNumber: free.cardNumber, toCustomerPhone: customerPhone };
  await api.post('/transfers', { ...customer, amountFen: 2_000, reason: walkedMoney.transfer });
  await api.post('/gifts', { cardNumber, amountFen: 300, reason: walkedMoney.gift });
  const coupon = { name: walkedMoney.coupon, kind: 'amount', amountFen: 500, bearer: 'platform' };
  const { id: couponId } = await api.post<{ id: number }>('/coupons', coupon);
  await api.post(`/coupons/${couponId}/gifts`, { phones: [customerPhone] });
  await addPromotion(api);
  await api.post('/withdrawals', { customerPhone, amountFen: 1_000, way: 'desk', payeeName: walkedMoney.payee });
  await api.post('/invoices', {
    orderIds: [orders.completed.id],
    titleKind: 'company',
    title: walkedMoney.invoiceTitle,
    taxNumber: '91350100M000100Y43',
  });
  await api.post('/credits/1/adjustments', { points: 5, reason: walkedMoney.credit });
  await api.post('/grid-bills', {
    siteId,
    accountNumber: walkedMoney.gridAccount,
    fromOn: '2026-01-01',
    toOn: '2026-01-31',
    energyWh: 1_000_000,
    amountFen: 70_000,
  });
  await api.createCard(walkedMoney.debtor, 500);
  const charge = await beginCharge(api, { ...free, cardNumber: walkedMoney.debtor }, { minutesAgo: 60, minutes: 15 });
  await charge.stop(16);
  await api.post(`/orders/${charge.order.id}/write-offs`, { reason: walkedMoney.writeOff });
}

async function addPromotion(api: Api): Promise<void> {
  const form = { name: walkedMoney.promotion, satisfiedFen: 10_000, giftFen: 1_000, effective: true, displayed: true };
  await api.post('/promotions', form);
}

/** A share of an order for the first agent, written as a settlement writes it, in a month that is over. */
export async function shareWithAgent({ pool }: Database, orderId: number): Promise<void> {
  const share = {
    party: 'agent',
    agent_id: 1,
    reason: 'remainder',
    electricity_fen: 840,
    service_fen: 360,
    occupancy_fen: 0,
  };
  await pool.query(
    'select write_order_shares(id, site_id, 9, settled_at - $2::interval, $3::jsonb) from orders where id = $1',
    [orderId, '40 days', JSON.stringify([share])],
  );
}
