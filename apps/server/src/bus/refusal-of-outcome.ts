import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { ApiError } from '@voltdeck/contract/errors';
import { callTimeoutMs } from '@voltdeck/ocpp16/connection';
import { secondMs } from '@voltdeck/units/instant';

/** The refusal for a command that the station did not carry out. */
export function refusalOfOutcome(outcome: CommandOutcome): ApiError {
  switch (outcome.kind) {
    case 'offline':
      return { code: 'station.offline' };
    case 'busy':
      return { code: 'station.busy' };
    case 'timed-out':
      return { code: 'station.no_answer', params: { seconds: callTimeoutMs / secondMs } };
    case 'rejected':
      return outcome.reason === undefined || outcome.reason === 'other'
        ? { code: 'station.refused' }
        : { code: 'station.refused_because', words: { because: `rejection-reason.${outcome.reason}` } };
    default:
      return { code: 'station.refused' };
  }
}
