import type { abnormal as chinese } from '../zh-CN/abnormal.ts';

/** Why an order is marked, said on its page alone: a browser fetches it with that. */
export const abnormal: Readonly<Record<keyof typeof chinese, string>> = {
  'abnormal-why.no_stop_received': 'The charge is over, but the station never reported its end.',
  'abnormal-why.meter_backwards': 'A reading was lower than the one before it. Energy was counted as not decreasing.',
  'abnormal-why.meter_jump': 'More energy between two readings than the station can deliver at full power.',
  'abnormal-why.energy_without_time': 'The meter advanced, but start and end are the same instant.',
  'abnormal-why.amount_above_prepaid': 'The order costs more than was held at the start.',
  'abnormal-why.station_lost': 'The station was lost for longer than allowed during the charge.',
  'abnormal-why.settlement_failed': 'The bill or the payment could not be completed. A person has to act.',
  'abnormal-why.price_missing': 'There was no billing rule at the start, so nothing could be priced.',
  'abnormal-why.clock_wrong': 'The station sent an impossible time. The time of receipt was used instead.',
  'abnormal-why.card_not_accepted': 'The station charged with a card that had not been accepted.',
  'abnormal-why.start_missing': 'A stop arrived without a start to match.',
  'abnormal-why.amount_differs': 'The amount that the station calculated differs from ours for the same energy.',
  'abnormal-why.energy_implausible':
    'More energy than the station can deliver in this time at its rated power. Nothing is charged until a person settles the order.',
  'abnormal-why.record_contradicts':
    'The energy in the station’s record fits neither its periods nor its meter. Nothing is charged until a person settles the order.',
  'abnormal-why.record_unasked':
    'The station reports a charge that nobody started, with a card it was not given for offline charging or while another charge ran on the port. Nothing is charged until a person settles the order.',
  'abnormal-why.register_missing':
    'The station sent no usable meter reading. The readings in between were used instead.',
  'abnormal-why.port_unregistered': 'The charge ran on a gun port that is not registered for this station.',
  'abnormal-why.stop_differs': 'A stop arrived after the order was settled, with other energy than was billed.',
  'abnormal-why.message_failed': 'A message about this charge could not be processed. It is kept below as it arrived.',
};
