import type { StationForm } from '@voltdeck/contract/stations';
import { watts } from '@voltdeck/units/energy';

/** The form's fields as the table has them. */
export function stationColumns(form: Omit<StationForm, 'password' | 'protocol'>) {
  return {
    number: form.number,
    name: form.name,
    type: form.type,
    equipment_type: form.equipmentType,
    site_id: form.siteId,
    max_power_w: watts(Math.max(1, Math.round(form.maxPowerKw * 1000))),
    voltage_v: form.voltageV ?? null,
    current_a: form.currentA ?? null,
    card_tariff_id: form.cardTariffId ?? null,
    wechat_tariff_id: form.wechatTariffId ?? null,
    expires_on: form.expiresOn ?? null,
    custom_site: form.customSite ?? '',
    imei: form.imei ?? null,
    iccid: form.iccid ?? null,
    sim_expires_on: form.simExpiresOn ?? null,
    manufacturer: form.manufacturer ?? null,
    manufacturer_code: form.manufacturerCode ?? null,
    equipment_model: form.equipmentModel ?? null,
    produced_on: form.producedOn ?? null,
    ...(form.free !== undefined && { free: form.free }),
    ...(form.signIn !== undefined && { sign_in: form.signIn }),
    ...(form.signInNetworks !== undefined && { sign_in_networks: [...form.signInNetworks] }),
  };
}
