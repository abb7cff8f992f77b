import { hasCheckDigit, isVin, tidyVin } from '@voltdeck/charging/vin';
import { changeVehicle, createVehicle, getVehicle, listVehicles, type Vehicle } from '@voltdeck/contract/vehicles';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { vehicle: Vehicle | null; open: boolean; onClose: () => void; onSaved: (vehicle: Vehicle) => void };

/** A mistyped VIN is likely where its check digit differs; some vehicles have none, so it is a hint. */
function vinHint(vin: string | undefined): string {
  const typed = tidyVin(vin ?? '');
  return phrase(isVin(typed) && !hasCheckDigit(typed) ? 'vehicles.vinDoubt' : 'vehicles.vinHint');
}

/** Adds or changes a vehicle. */
export default function VehicleFormDrawer({ vehicle, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={createVehicle}
      change={changeVehicle}
      record={vehicle}
      title={
        vehicle === null ? phrase('vehicles.add') : phrase('vehicles.editTitle', { name: vehicle.plate ?? vehicle.vin })
      }
      submitLabel={phrase(vehicle === null ? 'vehicles.add' : 'vehicles.save')}
      draft={`vehicle ${vehicle?.id ?? 'add'}`}
      initial={{ usage: 'private' }}
      fields={{
        vin: { label: 'vehicles.vin', kind: 'code', hint: ({ vin }) => vinHint(vin) },
        plate: { label: 'vehicles.plate', hint: 'vehicles.plateHint' },
        usage: { label: 'vehicles.usage', word: (usage) => phrase(`vehicle-usage.${usage}`) },
        ownerPhone: { label: 'vehicles.ownerPhone', hint: 'vehicles.ownerHint' },
        cardNumber: { label: 'vehicles.cardNumber', kind: 'code', hint: 'vehicles.cardHint' },
      }}
      refreshes={[listVehicles, getVehicle]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
