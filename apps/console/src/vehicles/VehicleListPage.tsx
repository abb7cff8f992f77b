import { deleteVehicle, getVehicle, listVehicles, type Vehicle } from '@voltdeck/contract/vehicles';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { findable } from '../ui/is-masked.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { auditOf, deletion, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps, OverlayProps } from '../ui/list-page.ts';

/** Lazy: most visits to a list never open it. */
const VehicleFormDrawer = lazyPart(() => import('./VehicleFormDrawer.tsx'));

const filters: Filters<typeof listVehicles> = {
  plate: {},
  vin: {},
  ownerPhone: {},
  usage: {},
  cardNumber: {},
  customerId: { title: 'vehicles.customer' },
};

const look: ListPageProps<typeof listVehicles>['look'] = {
  plate: { widthPx: 136, isPinned: true, isKeyFact: true },
  vin: { widthPx: 208, isKeyFact: true },
  usage: { widthPx: 148, isKeyFact: true },
  ownerPhone: { widthPx: 148 },
  cardNumber: { isKeyFact: true },
};

const nameOf = ({ plate, vin }: Vehicle) => plate ?? vin;
const savedText = (vehicle: Vehicle) => phrase('vehicles.saved', { name: nameOf(vehicle) });

function formOf(vehicle: Vehicle | null, over: OverlayProps<Vehicle>) {
  return <VehicleFormDrawer vehicle={vehicle} {...formIn(over, savedText)} />;
}

const acts: Acts<Vehicle> = {
  add: { on: 'list', label: 'vehicles.add', may: 'vehicle.edit', overlay: (over) => formOf(null, over) },
  edit: { on: 'row', label: 'vehicles.edit', may: 'vehicle.edit', overlay: formOf },
  orders: {
    on: 'row',
    label: 'vehicles.orders',
    may: 'order.read',
    leads: ({ vin }) => place('orderListHistory', { vin: findable(vin) }),
  },
  audit: auditOf('vehicle'),
  delete: deletion({
    label: 'vehicles.delete',
    may: 'vehicle.edit',
    question: (vehicle) => phrase('vehicles.deleteQuestion', { name: nameOf(vehicle) }),
    details: () => phrase('vehicles.deleteDetails'),
    act: ({ id }, idempotencyKey) => call(deleteVehicle, { params: { id }, idempotencyKey }),
    told: (vehicle) => phrase('vehicles.deleted', { name: nameOf(vehicle) }),
  }),
};

/** Vehicles that pay by being recognised at the station; /vehicleList. */
export default function VehicleListPage() {
  return (
    <ListPage
      list={listVehicles}
      title="vehicles.title"
      record="vehicles.vehicle"
      nameOf={nameOf}
      filters={filters}
      look={look}
      acts={acts}
      one={getVehicle}
      empty={{ title: 'vehicles.empty', text: 'vehicles.emptyText' }}
    />
  );
}
