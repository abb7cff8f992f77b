import type { StartDropOut } from '@voltdeck/charging/start-attempt';
import type { ApiError, ErrorCode } from '@voltdeck/contract/errors';

const dropOuts: Partial<Record<ErrorCode, StartDropOut>> = {
  'station.offline': 'station_offline',
  'station.disabled': 'station_closed',
  'site.closed': 'station_closed',
  'connector.closed': 'station_closed',
  'connector.fault': 'port_fault',
  'connector.busy': 'port_busy',
  'tariff.missing': 'price_missing',
  'balance.insufficient': 'too_little_money',
  'balance.in_debt': 'too_little_money',
  'group.balance': 'too_little_money',
  'group.member_limit': 'too_little_money',
  'group.disabled': 'card_blocked',
  'group.hour_not_allowed': 'refused_otherwise',
  'group.site_not_allowed': 'refused_otherwise',
  'card.not_usable': 'card_blocked',
  'card.already_charging': 'payer_busy',
  'my.disabled': 'card_blocked',
  'my.too_many_charges': 'payer_busy',
};

/** Why a start was refused to a person; null where they were asked to say something else, which is no attempt. */
export function dropOutOfError({ code }: ApiError): StartDropOut | null {
  return dropOuts[code] ?? null;
}
