import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import type { ApiError, FieldFault, FieldFaultCode } from '@voltdeck/contract/errors';
import type { Station, StationForm } from '@voltdeck/contract/stations';
import type { AgentId, TariffId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { lockAgent } from '../caller/lock-agent.ts';
import type { Trx } from '../database/transact.ts';
import { isAddressRange } from '../limits/address-ranges.ts';
import { mayPrice } from '../tariffs/rules-of-station.ts';
import { lockSite } from './lock-site.ts';
import { stationPasswordFault } from './station-password.ts';

type Checked = Pick<
  StationForm,
  | 'number'
  | 'protocol'
  | 'siteId'
  | 'agentId'
  | 'cardTariffId'
  | 'wechatTariffId'
  | 'password'
  | 'signIn'
  | 'signInNetworks'
>;

/** What is wrong with a number that is valid, but not in this protocol. */
const numberFaultOf: Readonly<Record<Protocol, FieldFaultCode>> = {
  'ocpp1.6': 'station_number',
  ykc: 'station_number_ykc',
};

/**
 * Checks what a form cannot: that site, agent and rules exist, that the caller may use them, and that number and
 * password fit the protocol. A station that stays at its site (`before`) keeps its agent; otherwise it belongs to the
 * agent of its site unless one is chosen.
 */
export async function checkStation(
  trx: Trx,
  caller: Caller,
  form: Checked,
  before?: Pick<Station, 'siteId' | 'agentId' | 'cardTariffId' | 'wechatTariffId'>,
): Promise<Result<{ agentId: AgentId | null }, ApiError>> {
  const fields = ownFaults(form);
  const stays = before?.siteId === form.siteId;
  // The platform may hand an agent a station at a site that the agent does not see.
  const site = await lockSite(trx, stays ? null : caller, form.siteId);
  if (form.agentId !== undefined && !(await lockAgent(trx, caller, form.agentId))) {
    fields.push({ path: 'agentId', code: 'unknown_reference' });
  }
  if (site === undefined) fields.push({ path: 'siteId', code: 'unknown_reference' });
  const agentId = form.agentId ?? (stays ? before.agentId : (site?.agentId ?? null));
  for (const path of ['cardTariffId', 'wechatTariffId'] as const) {
    const id = form[path];
    if (id === undefined) continue;
    const isKept = before?.[path] === id && before.agentId === agentId;
    const fault = await faultOfTariff(trx, caller, id, isKept ? undefined : agentId);
    if (fault !== null) fields.push({ path, code: fault });
  }
  if (fields.length > 0 || site === undefined) return failed({ code: 'request.invalid', fields });
  return ok({ agentId });
}

/** What is wrong with a form whatever the database holds: number and password must fit the protocol. */
export function ownFaults(form: Checked): FieldFault[] {
  const fields: FieldFault[] = [];
  const { stationNumber, hasPassword } = protocolTraits[form.protocol];
  if (!stationNumber.test(form.number)) fields.push({ path: 'number', code: numberFaultOf[form.protocol] });
  if (form.password !== undefined) {
    const fault = stationPasswordFault(form.password, form.number);
    if (!hasPassword) fields.push({ path: 'password', code: 'no_password' });
    else if (fault !== null) fields.push({ path: 'password', ...fault });
  }
  if (!hasPassword && form.signIn !== undefined && form.signIn !== 'password') {
    fields.push({ path: 'signIn', code: 'no_password' });
  }
  if (form.signInNetworks?.every(isAddressRange) === false) fields.push({ path: 'signInNetworks', code: 'bad_format' });
  return fields;
}

/** An agent uses its own rules and the platform's, and so do its stations unless `stationAgentId` is left out. */
async function faultOfTariff(
  trx: Trx,
  caller: Caller,
  id: TariffId,
  stationAgentId: AgentId | null | undefined,
): Promise<FieldFaultCode | null> {
  const tariff = await trx
    .selectFrom('tariffs')
    .select('agent_id')
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  if (tariff === undefined) return 'unknown_reference';
  const { agent_id: owner } = tariff;
  if (caller.agents !== 'all' && owner !== null && !caller.agents.includes(owner)) return 'unknown_reference';
  return stationAgentId === undefined || mayPrice(owner, stationAgentId) ? null : 'rule_of_other_agent';
}
