import { Action } from 'typed-ocpp/dist/ocpp16/utils.js';

/** Every action of OCPP 1.6 and of its security extension. */
const knownActions: ReadonlySet<string> = new Set(Object.values(Action));

/** Tells a call that we do not support (NotSupported) from one that nobody knows (NotImplemented). */
export function isKnownAction(action: string): boolean {
  return knownActions.has(action);
}

/** What a station says only to be heard (section 4.6): the bulk of every log. */
export const heartbeatAction: string = Action.Heartbeat;
