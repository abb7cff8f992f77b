import type { FieldFaultCode } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/languages';
import { configuredNavigation, navigationAppsKey } from '@voltdeck/contract/navigation-apps';
import { configuredFacilities, facilitiesKey } from '@voltdeck/contract/site-facilities';
import { keptDays } from '../database/kept-days.ts';
import { isReadingsKept, readingsKept } from '../database/readings-kept.ts';
import type { Trx } from '../database/transact.ts';
import { say } from '../http/say.ts';
import type { BuiltInNameKey } from '../http/shown-name.ts';
import { creditRate, isCreditRate } from '../ledger/credit.ts';
import { debtLimit, isDebtLimit } from '../ledger/debt.ts';
import { isRechargeDayLimit, rechargeDayLimit } from '../ledger/recharge-day-limit.ts';
import { isRefundDays, refundPeriod } from '../ledger/refund-period.ts';
import { isWithdrawalParameter, type WithdrawalParameter, withdrawalParameters } from '../ledger/withdrawal-terms.ts';
import { isSecondPersonLimit, secondPersonLimits } from '../second-person/limits.ts';

type BuiltInConfig = {
  key: string;
  name: BuiltInNameKey;
  remark: BuiltInNameKey;
  value: string;
  /** Readable by everyone, because the console needs it before sign-in. */
  public: boolean;
  /** Whether the server or the console can use the value. */
  isUsable(value: string): boolean;
  /** What is wrong with a value that is not usable. */
  fault?: FieldFaultCode;
};

/** The application's name: in the window's title, on the sign-in page and above the menu. */
export const titleKey = 'sys_title';

/** What many sites offer besides the facilities of the specification. */
const suggestedFacilities = ['lounge', 'restaurant', 'vending', 'drinking_water', 'canopy'] as const;
const lineOf = (code: (typeof suggestedFacilities)[number]) =>
  `${code}=${say('zh-CN', `facility.${code}`)}|${say('en', `facility.${code}`)}`;

/** The parameters that the console and the server read. */
export const builtInConfigs: readonly BuiltInConfig[] = [
  {
    key: titleKey,
    name: 'config.sys_title',
    remark: 'config.sys_title.remark',
    value: 'Voltdeck',
    public: true,
    isUsable: (value) => value.trim() !== '' && value.length <= 64,
  },
  {
    key: 'screen_url',
    name: 'config.screen_url',
    remark: 'config.screen_url.remark',
    value: '/screen',
    public: true,
    // Opened with the caller's token, so only a page of ours or a web address, never javascript: or a bare host.
    isUsable: (value) => value.length <= 500 && (/^\/(?![/\\])[^\s\\]*$/.test(value) || isWebAddress(value)),
  },
  {
    key: debtLimit.key,
    name: 'config.debt_limit_fen',
    remark: 'config.debt_limit_fen.remark',
    value: String(debtLimit.defaultFen),
    public: false,
    isUsable: isDebtLimit,
  },
  ...Object.entries(withdrawalParameters).map(([key, value]) => ({
    key,
    name: `config.${key as WithdrawalParameter}` as const,
    remark: `config.${key as WithdrawalParameter}.remark` as const,
    value,
    public: false,
    isUsable: (given: string) => isWithdrawalParameter(key as WithdrawalParameter, given),
  })),
  {
    key: refundPeriod.key,
    name: 'config.refund_days',
    remark: 'config.refund_days.remark',
    value: String(refundPeriod.defaultDays),
    public: false,
    isUsable: isRefundDays,
  },
  {
    key: rechargeDayLimit.key,
    name: 'config.recharge_day_limit_fen',
    remark: 'config.recharge_day_limit_fen.remark',
    value: String(rechargeDayLimit.defaultFen),
    public: false,
    isUsable: isRechargeDayLimit,
  },
  {
    key: creditRate.key,
    name: 'config.credit_points_per_yuan',
    remark: 'config.credit_points_per_yuan.remark',
    value: String(creditRate.defaultPoints),
    public: false,
    isUsable: isCreditRate,
  },
  {
    key: navigationAppsKey,
    name: 'config.navigation_apps',
    remark: 'config.navigation_apps.remark',
    value: 'amap',
    public: true,
    isUsable: (value) => configuredNavigation(value) !== null,
    fault: 'navigation_format',
  },
  {
    key: readingsKept.key,
    name: 'config.readings_kept_days',
    remark: 'config.readings_kept_days.remark',
    value: String(keptDays.readings),
    public: false,
    isUsable: isReadingsKept,
  },
  {
    key: facilitiesKey,
    name: 'config.site_facilities',
    remark: 'config.site_facilities.remark',
    value: suggestedFacilities.map(lineOf).join('\n'),
    public: false,
    isUsable: (value) => configuredFacilities(value) !== null,
    fault: 'facilities_format',
  },
  ...[...new Set(Object.values(secondPersonLimits))].map(
    ({ key, defaultLimit }): BuiltInConfig => ({
      key,
      name: `config.${key}`,
      remark: `config.${key}.remark`,
      value: String(defaultLimit),
      public: false,
      isUsable: isSecondPersonLimit,
      fault: 'limit_format',
    }),
  ),
];

function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s\\]+$/.test(value) && URL.canParse(value);
}

/** The installation's language at its first start. */
const seedLanguage: Language = 'zh-CN';

/** Adds the parameters that the database lacks; changed values stay. */
export async function seedConfigs(trx: Trx): Promise<void> {
  await trx
    .insertInto('configs')
    .values(
      builtInConfigs.map(({ key, name, remark, value, public: isPublic }) => ({
        key,
        name: say(seedLanguage, name),
        name_key: name,
        remark: say(seedLanguage, remark),
        remark_key: remark,
        value,
        public: isPublic,
        built_in: true,
      })),
    )
    // A parameter that an earlier version or a person created under this key becomes built in and keeps its value.
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ built_in: true, public: eb.ref('excluded.public') })),
    )
    .execute();
}
