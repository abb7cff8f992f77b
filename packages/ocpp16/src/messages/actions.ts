import { Action } from 'typed-ocpp/dist/ocpp16/utils.js';

/** Every action of OCPP 1.6 and of its security extension. */
const knownActions: ReadonlySet<string> = new Set(Object.values(Action));

/** Distinguishes a call that we do not support (NotSupported) from an unknown one (NotImplemented). */
export function isKnownAction(action: string): boolean {
  return knownActions.has(action);
}

/** The keep-alive message (section 4.6), the bulk of every log. */
export const heartbeatAction: string = Action.Heartbeat;
