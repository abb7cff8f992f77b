import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { ApiError } from '@voltdeck/contract/errors';
import { callTimeoutMs } from '@voltdeck/ocpp16/connection';
import { secondMs } from '@voltdeck/units/instant';

/** The error that a caller gets when the station did not do what was asked. */
export function refusalOfOutcome(outcome: CommandOutcome): ApiError {
  switch (outcome.kind) {
    case 'offline':
      return { code: 'station.offline' };
    case 'busy':
      return { code: 'station.busy' };
    case 'timed-out':
      return { code: 'station.no_answer', params: { seconds: callTimeoutMs / secondMs } };
    default:
      return { code: 'station.refused' };
  }
}
