import type { Language } from '@voltdeck/contract/permissions';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import type { Trx } from '../database/transact.ts';
import { say } from '../http/say.ts';
import { debtLimit, isDebtLimit } from '../ledger/debt.ts';

type BuiltInConfig = {
  key: string;
  name: PhraseKey;
  remark: PhraseKey;
  value: string;
  /** Told to everybody: the console needs it before anybody has signed in. */
  public: boolean;
  /** Whether the server or the console can use the value. */
  isUsable(value: string): boolean;
};

/** What the console and the server themselves read. */
export const builtInConfigs: readonly BuiltInConfig[] = [
  {
    key: 'sys_title',
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
    // It is opened with the caller's token: a page of our own or a web address, never javascript: or a bare host.
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
];

function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s\\]+$/.test(value) && URL.canParse(value);
}

/** The installation's own language at its first start. */
const seedLanguage: Language = 'zh-CN';

/** Adds the parameters that the database does not have yet; what an administrator changed stays. */
export async function seedConfigs(trx: Trx): Promise<void> {
  await trx
    .insertInto('configs')
    .values(
      builtInConfigs.map(({ key, name, remark, value, public: isPublic }) => ({
        key,
        name: say(seedLanguage, name),
        remark: say(seedLanguage, remark),
        value,
        public: isPublic,
        built_in: true,
      })),
    )
    // One that an earlier version or a person made under this key becomes the built-in one and keeps its value.
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ built_in: true, public: eb.ref('excluded.public') })),
    )
    .execute();
}
