import { type Fen, fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import type { Authorization, AuthorizationRefusal, ConnectorState } from '../states.ts';
import type { Charge } from './charge.ts';
import {
  authorizationAt,
  authorizationToPay,
  firstHoldFen,
  moneyLimits,
  type PaidBefore,
  promisedFen,
  promisedOfTwoFen,
  promisedToPaid,
} from './decide-authorization.ts';

/** The facts for a request to charge at a station. */
export type RequestKnown = {
  station: { isEnabled: boolean; isPriced: boolean; isFree: boolean };
  port: { isOpen: boolean; state: ConnectorState };
  /** The latest order of the gun port that waits to begin or runs. */
  onPort: Charge | null;
  /** Null for an unregistered vehicle. */
  card: { cardId: Charge['cardId']; authorization: Authorization; freeFen: Fen } | null;
  /** The payer charges one vehicle at two gun ports together. `otherHeldFen` is null while the other is not placed. */
  parallel: { otherHeldFen: Fen | null } | null;
  /** What is paid for the order that waits to begin, otherwise for a charge that begins now. */
  paidBefore: PaidBefore | null;
};

export type RequestDecision =
  | { kind: 'refuse'; authorization: AuthorizationRefusal; promisedFen: Fen }
  /** Repeated, because our answer did not reach the station. */
  | { kind: 'name-again'; charge: Charge; promisedFen: Fen }
  | { kind: 'place'; holdFen: Fen; promisedFen: Fen };

const busyStates: ReadonlySet<ConnectorState> = new Set(['charging', 'starting', 'suspended']);

/** Decides whether a charge requested at a station may begin, and the money behind it. */
export function decideRequest({ station, port, onPort, card, parallel, paidBefore }: RequestKnown): RequestDecision {
  const refuse = (authorization: AuthorizationRefusal, promised: Fen = zeroFen): RequestDecision => ({
    kind: 'refuse',
    authorization,
    promisedFen: promised,
  });
  if (!station.isEnabled || !port.isOpen || port.state === 'unavailable') return refuse('station_closed');
  if (card === null) return refuse('vehicle_unknown');
  if (onPort?.state === 'placed') {
    const isSame = card.cardId !== null && card.cardId === onPort.cardId && onPort.transactionKey !== null;
    if (!isSame) return refuse('already_charging');
    const promised = station.isFree
      ? moneyLimits.freePromiseFen
      : promisedToPaid(paidBefore, promiseOf({ card, parallel }, onPort.heldFen));
    return { kind: 'name-again', charge: onPort, promisedFen: promised };
  }
  // A charge whose stop is still to come does not keep the next driver from a free port.
  if (onPort?.state === 'charging' && busyStates.has(port.state)) return refuse('already_charging');
  const { freeFen } = card;
  const toPay = authorizationToPay(paidBefore, { authorization: card.authorization, availableFen: freeFen });
  const authorization = authorizationAt(station, toPay);
  if (authorization !== 'accepted') return refuse(authorization, freeFen);
  // Energy that cannot be priced must not flow; the fault is the station's, not the card's.
  if (!station.isPriced) return refuse('station_closed', freeFen);
  if (station.isFree) return { kind: 'place', holdFen: zeroFen, promisedFen: moneyLimits.freePromiseFen };
  if (paidBefore !== null) {
    const { amountFen } = paidBefore;
    return { kind: 'place', holdFen: amountFen, promisedFen: promisedToPaid(paidBefore, amountFen) };
  }
  // The first of two gun ports together leaves half to the other: when either is refused, neither begins.
  const isFirstOfTwo = parallel !== null && parallel.otherHeldFen === null;
  const holdFen = firstHoldFen(isFirstOfTwo ? fen(Math.ceil(freeFen / 2)) : freeFen);
  const left = { ...card, freeFen: subtractFen(freeFen, holdFen) };
  return { kind: 'place', holdFen, promisedFen: promiseOf({ card: left, parallel }, holdFen) };
}

function promiseOf(
  { card, parallel }: { card: { freeFen: Fen }; parallel: RequestKnown['parallel'] },
  heldFen: Fen,
): Fen {
  const { freeFen } = card;
  if (parallel === null) return promisedFen({ heldFen, freeFen, sharers: 1 });
  return promisedOfTwoFen({ heldFen, freeFen, otherHeldFen: parallel.otherHeldFen });
}
