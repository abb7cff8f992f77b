import type { EquipmentType } from '@voltdeck/charging/states';
import {
  deleteTariff,
  getDefaultTariff,
  getTariff,
  type Tariff as Rule,
  setDefaultTariff,
} from '@voltdeck/contract/tariffs';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { type Session, useSessionStore } from '../session/session.ts';
import { deletion } from '../ui/list/usual-acts.ts';
import type { Act, Acts, Deed } from '../ui/list-page.ts';

type RowAct = Extract<Act<Rule>, { on: 'row' }>;

/** An agent changes its own rules only; the platform's are shown to it. */
export function notOwn({ agentId }: Rule, { user }: Session): string | undefined {
  const isAgents = user.dataScope !== 'platform';
  return isAgents && agentId === null ? phrase('tariffs.platformsRule') : undefined;
}

/** Asks with what it would replace and how many stations have no rule, then sets or takes the default. */
async function defaultDeed(rule: Rule, whose: 'platform' | 'agent', equipmentType: EquipmentType): Promise<Deed> {
  const isDefault = (whose === 'platform' ? rule.platformDefaultFor : rule.agentDefaultFor).includes(equipmentType);
  const agent = whose === 'agent' && rule.agentId !== null ? { agentId: rule.agentId } : {};
  const kind = phrase(`equipment-type.${equipmentType}`);
  const present = await call(getDefaultTariff, { query: { for: whose, equipmentType, ...agent } });
  const given = present.stationsWithout;
  const set = (body: { isDefault: boolean; givesToStations: boolean }, idempotencyKey: string) =>
    call(setDefaultTariff, {
      params: { id: rule.id },
      body: { for: whose, equipmentType, ...agent, ...body },
      idempotencyKey,
    });
  if (isDefault) {
    return {
      ask: {
        question: phrase('tariffs.unsetQuestion', { name: rule.name, kind }),
        details: phrase('tariffs.unsetDetails'),
        verb: phrase('tariffs.unset'),
      },
      do: async (idempotencyKey) => {
        await set({ isDefault: false, givesToStations: false }, idempotencyKey);
        return phrase('tariffs.unsetDone', { name: rule.name });
      },
    };
  }
  const replaced =
    present.tariff === null
      ? phrase('tariffs.replacesNone')
      : phrase('tariffs.replaces', { name: present.tariff.name });
  return {
    ask: {
      question: phrase(whose === 'platform' ? 'tariffs.platformQuestion' : 'tariffs.agentQuestion', {
        name: rule.name,
        kind,
      }),
      details: `${replaced} ${given === 0 ? phrase('tariffs.givesNone') : phrase('tariffs.gives', { count: given })}`,
      verb: phrase('tariffs.setDefault'),
    },
    do: async (idempotencyKey) => {
      const { stationsGiven } = await set({ isDefault: true, givesToStations: given > 0 }, idempotencyKey);
      return phrase('tariffs.defaultSet', { name: rule.name, count: stationsGiven });
    },
  };
}

/** Each kind of station has a default of its own, and a rule by energy serves either. */
const platformDefault = (kind: EquipmentType): RowAct => ({
  on: 'row',
  label: ({ platformDefaultFor }) =>
    platformDefaultFor.includes(kind) ? `tariffs.unsetPlatform.${kind}` : `tariffs.setPlatform.${kind}`,
  may: 'tariff.platform_default',
  isFor: ({ agentId }) => agentId === null,
  deed: (rule) => defaultDeed(rule, 'platform', kind),
  changes: [getTariff, getDefaultTariff],
});

const agentDefault = (kind: EquipmentType): RowAct => ({
  on: 'row',
  label: ({ agentDefaultFor }) =>
    agentDefaultFor.includes(kind) ? `tariffs.unsetAgent.${kind}` : `tariffs.setAgent.${kind}`,
  may: 'tariff.edit',
  // The platform sets the default of an agent on that agent's own rules, an agent on any rule that it sees.
  isFor: ({ agentId }) => agentId !== null || useSessionStore.getState().session?.user.dataScope !== 'platform',
  deed: (rule) => defaultDeed(rule, 'agent', kind),
  changes: [getTariff, getDefaultTariff],
});

/** Acts on a rule, in the list and on its page. */
export function ruleActs(onDeleted?: () => void) {
  return {
    platformDefaultFourWheel: platformDefault('four-wheel'),
    platformDefaultTwoWheel: platformDefault('two-wheel'),
    agentDefaultFourWheel: agentDefault('four-wheel'),
    agentDefaultTwoWheel: agentDefault('two-wheel'),
    audit: {
      on: 'row',
      label: 'menu.auditLog',
      leads: ({ ruleId }) => place('auditLog', { recordKind: 'tariff', recordId: String(ruleId) }),
    },
    delete: deletion({
      label: 'tariffs.delete',
      may: 'tariff.edit',
      question: ({ name }) => phrase('tariffs.deleteQuestion', { name }),
      details: 'tariffs.deleteDetails',
      act: async ({ id }, idempotencyKey) => {
        await call(deleteTariff, { params: { id }, idempotencyKey });
        onDeleted?.();
      },
      told: ({ name }) => phrase('tariffs.deleted', { name }),
      because: (rule, session) => whyKept(rule) ?? notOwn(rule, session),
    }),
  } satisfies Acts<Rule>;
}

/** Why a rule cannot be deleted now, in the words of the server's refusal. */
function whyKept({ platformDefaultFor, agentDefaultFor, stationCount }: Rule): string | undefined {
  if (platformDefaultFor.length > 0) return phrase('error.tariff.platform_default');
  if (agentDefaultFor.length > 0) return phrase('error.tariff.agent_default');
  return stationCount > 0 ? phrase('error.tariff.in_use') : undefined;
}
