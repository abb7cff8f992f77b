import type { Site } from '@voltdeck/contract/sites';
import type { SiteForm } from './check-site.ts';

/** The form's fields as the table has them; of a changed site, the state stays where the form omits it. */
export function siteColumns(form: SiteForm, before: Pick<Site, 'state'> | null) {
  return {
    name: form.name,
    state: form.state ?? before?.state ?? 'normal',
    region_code: form.regionCode,
    address: form.address,
    longitude: form.longitude,
    latitude: form.latitude,
    open_all_day: form.openAllDay,
    opening_hours: form.openAllDay ? '' : (form.openingHours ?? ''),
    site_phone: form.sitePhone ?? '',
    service_phone: form.servicePhone ?? '',
    parking_fee: form.parkingFee,
    parking_info: form.parkingInfo ?? '',
    bay_count: form.bayCount ?? 0,
    invoice_available: form.invoiceAvailable,
    reservable: form.reservable ?? false,
    facilities: [...new Set(form.facilities ?? [])],
    vehicles: form.vehicles ?? '',
    directions: form.directions ?? '',
    payment_info: form.paymentInfo ?? '',
    remark: form.remark ?? '',
    kind: form.kind ?? null,
    place: form.place ?? null,
    level: form.level ?? null,
    capacity_kva: form.capacityKva ?? null,
    power_capacity_kw: form.powerCapacityKw ?? null,
    staffed: form.staffed ?? false,
    own_grid: form.ownGrid ?? false,
    grid_account: form.gridAccount ?? '',
    public_car_park: form.publicCarPark ?? false,
    car_park_number: form.carParkNumber ?? '',
  };
}
