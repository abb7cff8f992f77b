import type { Language } from '@voltdeck/contract/languages';
import { type RawBuilder, sql } from 'kysely';
import { say } from './say.ts';

/** The product's names for the records it comes with. */
export const builtInNameKeys = [
  'position.platform',
  'position.agent',
  'position.divider',
  'position.registered',
  'user.administrator',
  'config.sys_title',
  'config.sys_title.remark',
  'config.screen_url',
  'config.screen_url.remark',
  'config.credit_points_per_yuan',
  'config.credit_points_per_yuan.remark',
  'config.debt_limit_fen',
  'config.debt_limit_fen.remark',
  'config.refund_days',
  'config.refund_days.remark',
  'config.recharge_day_limit_fen',
  'config.recharge_day_limit_fen.remark',
  'config.navigation_apps',
  'config.navigation_apps.remark',
  'config.reconciliation_tolerance_wh',
  'config.reconciliation_tolerance_wh.remark',
  'config.reconciliation_tolerance_e4',
  'config.reconciliation_tolerance_e4.remark',
  'config.readings_kept_days',
  'config.readings_kept_days.remark',
  'config.own_operator_id',
  'config.own_operator_id.remark',
  'config.site_facilities',
  'config.site_facilities.remark',
  'config.second_person_order_refund_fen',
  'config.second_person_order_refund_fen.remark',
  'config.second_person_order_settlement_fen',
  'config.second_person_order_settlement_fen.remark',
  'config.second_person_transfer_fen',
  'config.second_person_transfer_fen.remark',
  'config.second_person_recharge_fen',
  'config.second_person_recharge_fen.remark',
  'config.second_person_recharge_refund_fen',
  'config.second_person_recharge_refund_fen.remark',
  'config.second_person_withdrawal_fen',
  'config.second_person_withdrawal_fen.remark',
  'config.withdrawal_min_fen',
  'config.withdrawal_min_fen.remark',
  'config.withdrawal_fee_bp',
  'config.withdrawal_fee_bp.remark',
  'config.withdrawals_per_day',
  'config.withdrawals_per_day.remark',
  'config.withdrawal_gifts',
  'config.withdrawal_gifts.remark',
  'config.agent_withdrawal_min_fen',
  'config.agent_withdrawal_min_fen.remark',
  'config.agent_withdrawal_fee_bp',
  'config.agent_withdrawal_fee_bp.remark',
  'config.agent_withdrawals_per_day',
  'config.agent_withdrawals_per_day.remark',
  'config.agent_withdrawal_account_wait_days',
  'config.agent_withdrawal_account_wait_days.remark',
  'config.second_person_agent_withdrawal_fen',
  'config.second_person_agent_withdrawal_fen.remark',
  'config.second_person_write_off_fen',
  'config.second_person_write_off_fen.remark',
  'config.second_person_tariff_default_e5',
  'config.second_person_tariff_default_e5.remark',
  'config.second_person_card_cancellation_fen',
  'config.second_person_card_cancellation_fen.remark',
  'config.second_person_agent_recharge_fen',
  'config.second_person_agent_recharge_fen.remark',
  'config.second_person_share_correction_fen',
  'config.second_person_share_correction_fen.remark',
  'config.second_person_reconciliation_fen',
  'config.second_person_reconciliation_fen.remark',
  'config.second_person_reversal_fen',
  'config.second_person_reversal_fen.remark',
] as const;
export type BuiltInNameKey = (typeof builtInNameKeys)[number];

type KindOf<Key extends string> = Key extends `${infer Kind}.${string}` ? Kind : never;

/**
 * A name for the reader: the product's in their language, or the one a person gave. Without parameters, so that a
 * statement with it can be built once.
 */
export function shownName<Name extends string | null = string>(
  language: Language,
  kind: KindOf<BuiltInNameKey>,
  name: string,
  key: string,
): RawBuilder<Name> {
  const cases = builtInNameKeys
    .filter((each) => each.startsWith(`${kind}.`))
    .map((each) => sql`when ${sql.lit(each)} then ${sql.lit(say(language, each))}`);
  return sql<Name>`case ${sql.ref(key)} ${sql.join(cases, sql` `)} else ${sql.ref(name)} end`;
}

type Named = { name: string; key: string | null };

/** The name to store from a form: one that came back unchanged stays the product's. */
export function nameAfter(language: Language, before: Named, given: string): Named {
  const key = builtInNameKeys.find((each) => each === before.key);
  return key !== undefined && given === say(language, key) ? before : { name: given, key: null };
}
