import type { Permission } from '@voltdeck/contract/permissions';
import type { FoundKind } from '@voltdeck/contract/search';
import type { Caller } from '../caller/caller.ts';
import {
  agentWithdrawalWays,
  channelPaymentWays,
  giftWays,
  invoiceWays,
  orderRefundWays,
  rechargeRefundWays,
  rechargeWays,
  transferWays,
  withdrawalWays,
} from './find-money.ts';
import { orderWays } from './find-orders.ts';
import { partnerChargeWays, partnerWays, roamingChargeWays } from './find-partners.ts';
import {
  agentWays,
  cardWays,
  customerWays,
  dividerWays,
  groupWays,
  memberWays,
  userWays,
  vehicleWays,
} from './find-people.ts';
import { connectorWays, siteWays, stationWays } from './find-places.ts';
import { articleWays, configWays, positionWays, tariffWays } from './find-settings.ts';
import type { Way } from './way.ts';

type Kind = {
  /** To read records of the kind. */
  permission: Permission;
  /** For whom they exist at all. */
  isFor?: (caller: Caller) => boolean;
  by: readonly Way[];
};

/** They belong to the platform: for everyone else they do not exist. */
const isFor = ({ agents }: Caller) => agents === 'all';

/** How records of each kind are found. */
export const ways: Readonly<Record<FoundKind, Kind>> = {
  order: { permission: 'order.read', by: orderWays },
  station: { permission: 'station.read', by: stationWays },
  connector: { permission: 'connector.read', by: connectorWays },
  site: { permission: 'site.read', by: siteWays },
  card: { permission: 'card.read', by: cardWays },
  customer: { permission: 'customer.read', by: customerWays },
  vehicle: { permission: 'vehicle.read', by: vehicleWays },
  agent: { permission: 'agent.read', by: agentWays },
  group: { permission: 'group.read', by: groupWays },
  group_member: { permission: 'group_member.read', by: memberWays },
  divider: { permission: 'divider.read', by: dividerWays },
  invoice: { permission: 'invoice.read', by: invoiceWays },
  recharge: { permission: 'recharge.read', by: rechargeWays },
  order_refund: { permission: 'order.read', by: orderRefundWays },
  recharge_refund: { permission: 'recharge.read', by: rechargeRefundWays },
  withdrawal: { permission: 'withdrawal.read', isFor, by: withdrawalWays },
  agent_withdrawal: { permission: 'agent_withdrawal.read', by: agentWithdrawalWays },
  channel_payment: { permission: 'ledger.read', isFor, by: channelPaymentWays },
  transfer: { permission: 'recharge.read', by: transferWays },
  gift: { permission: 'recharge.read', by: giftWays },
  partner: { permission: 'partner.read', isFor, by: partnerWays },
  partner_charge: { permission: 'partner_order.read', isFor, by: partnerChargeWays },
  roaming_charge: { permission: 'partner_order.read', isFor, by: roamingChargeWays },
  tariff: { permission: 'tariff.read', by: tariffWays },
  user: { permission: 'user.read', by: userWays },
  position: { permission: 'position.read', by: positionWays },
  article: { permission: 'article.read', isFor, by: articleWays },
  config: { permission: 'config.read', by: configWays },
};
