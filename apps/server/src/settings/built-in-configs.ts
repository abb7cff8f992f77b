import type { FieldFaultCode } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/languages';
import { configuredNavigation, navigationAppsKey } from '@voltdeck/contract/navigation-apps';
import { configuredFacilities, facilitiesKey } from '@voltdeck/contract/site-facilities';
import { energyTolerance } from '../database/energy-tolerance.ts';
import type { Parameter } from '../database/parameter.ts';
import { platformNameKey } from '../database/platform-name.ts';
import { readingsKept } from '../database/readings-kept.ts';
import type { Trx } from '../database/transact.ts';
import { say } from '../http/say.ts';
import type { BuiltInNameKey } from '../http/shown-name.ts';
import { ownOperatorId } from '../interop/own-code.ts';
import { creditRate } from '../ledger/credit.ts';
import { debtLimit } from '../ledger/debt.ts';
import { rechargeDayLimit } from '../ledger/recharge-day-limit.ts';
import { refundPeriod } from '../ledger/refund-period.ts';
import { agentWithdrawalParameters, withdrawalParameters } from '../ledger/withdrawal-terms.ts';
import { isSecondPersonLimit, ownDifferencesLimit, secondPersonLimits } from '../second-person/limits.ts';

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

type ParameterKey =
  | (typeof debtLimit | typeof refundPeriod | typeof rechargeDayLimit | typeof creditRate | typeof readingsKept)['key']
  | (typeof energyTolerance)[keyof typeof energyTolerance]['key']
  | (typeof withdrawalParameters)[keyof typeof withdrawalParameters]['key']
  | (typeof agentWithdrawalParameters)[keyof typeof agentWithdrawalParameters]['key'];

/** What many sites offer besides the facilities of the specification. */
const suggestedFacilities = ['lounge', 'restaurant', 'vending', 'drinking_water', 'canopy'] as const;
const lineOf = (code: (typeof suggestedFacilities)[number]) =>
  `${code}=${say('zh-CN', `facility.${code}`)}|${say('en', `facility.${code}`)}`;

/** The parameters that the console and the server read. */
export const builtInConfigs: readonly BuiltInConfig[] = [
  {
    key: platformNameKey,
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
  configOf(debtLimit),
  ...Object.values(withdrawalParameters).map(configOf),
  ...Object.values(agentWithdrawalParameters).map(configOf),
  configOf(refundPeriod),
  configOf(rechargeDayLimit),
  configOf(creditRate),
  {
    key: navigationAppsKey,
    name: 'config.navigation_apps',
    remark: 'config.navigation_apps.remark',
    value: 'amap',
    public: true,
    isUsable: (value) => configuredNavigation(value) !== null,
    fault: 'navigation_format',
  },
  configOf(readingsKept),
  ...Object.values(energyTolerance).map(configOf),
  {
    key: ownOperatorId.key,
    name: 'config.own_operator_id',
    remark: 'config.own_operator_id.remark',
    value: '',
    public: false,
    isUsable: ownOperatorId.isUsable,
    fault: 'organization_code',
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
  ...[...new Set([...Object.values(secondPersonLimits), ownDifferencesLimit])].map(
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

/** The words of a parameter follow from its key. */
function configOf({
  key,
  defaultValue,
  isUsable,
}: Pick<Parameter<unknown, ParameterKey>, 'key' | 'defaultValue' | 'isUsable'>): BuiltInConfig {
  return {
    key,
    name: `config.${key}`,
    remark: `config.${key}.remark`,
    value: String(defaultValue),
    public: false,
    isUsable,
  };
}

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
