import { describe, expect, test } from 'vitest';
import {
  type Ability,
  canCancelOrder,
  canCommandStation,
  canRefundOrder,
  canSettleByHand,
  canStartCharge,
  canStopOrder,
  isAgreed,
  type Refusal,
} from './abilities.ts';
import {
  type ConnectorState,
  connectorStates,
  type OrderState,
  orderStates,
  paymentStates,
  type SiteState,
  siteStates,
} from './states.ts';
import type { CommandOutcome } from './station-command.ts';

/** The refusal, or null where it is allowed. */
const refusal = (ability: Ability): Refusal | null => (ability.allowed ? null : ability.because);
const allowedIn = (can: (order: { state: OrderState }) => Ability) =>
  orderStates.filter((state) => can({ state }).allowed);

describe('an order', () => {
  test('an order can be stopped only while it charges: before, it has not begun, and later it is over', () => {
    for (const state of orderStates) {
      const expected = { charging: null, placed: 'order.not_charging' }[state as string];
      expect([state, refusal(canStopOrder({ state }))]).toEqual([
        state,
        expected === undefined ? 'order.already_ended' : expected,
      ]);
    }
  });

  test('an order can be cancelled only before energy flows', () => {
    expect(allowedIn(canCancelOrder)).toEqual(['placed']);
    expect(refusal(canCancelOrder({ state: 'charging' }))).toBe('order.already_ended');
  });

  test('an order can be settled by hand from its first energy until it is settled', () => {
    expect(allowedIn(canSettleByHand)).toEqual(['charging', 'settling']);
    expect(refusal(canSettleByHand({ state: 'completed' }))).toBe('order.already_ended');
  });

  test('a live order can be stopped, cancelled or settled by a person, and an ended one by none of these', () => {
    const open = orderStates.filter((state) =>
      [canStopOrder, canCancelOrder, canSettleByHand].some((can) => can({ state }).allowed),
    );
    expect(open).toEqual(['placed', 'charging', 'settling']);
  });

  test('a completed order can be refunded until its bill is given back, and a debt is reduced first', () => {
    for (const state of orderStates) {
      for (const paymentState of paymentStates) {
        const refunds = state === 'completed' && paymentState !== 'refunded';
        expect(refusal(canRefundOrder({ state, paymentState }))).toBe(refunds ? null : 'order.nothing_to_refund');
      }
    }
  });
});

describe('a station', () => {
  test('a station can be commanded while it is online, even when it is disabled', () => {
    for (const enabled of [true, false]) {
      expect(refusal(canCommandStation({ enabled, online: true }))).toBeNull();
      expect(refusal(canCommandStation({ enabled, online: false }))).toBe('station.offline');
    }
  });
});

describe('a charge', () => {
  test('a closed site starts no charge, while one under construction or maintenance does, for tests', () => {
    const startsAtSite = (siteState: SiteState) =>
      refusal(canStartCharge({ enabled: true, online: true, siteState }, { open: true, state: 'free' }));
    expect(siteStates.filter((state) => startsAtSite(state) === 'site.closed')).toEqual([
      'closed_offline',
      'closed_for_business',
    ]);
    expect(siteStates.filter((state) => startsAtSite(state) === null)).toEqual([
      'normal',
      'building',
      'maintenance',
      'unknown',
    ]);
  });

  const up = { enabled: true, online: true, siteState: 'normal' as SiteState };
  const startsAt = (state: ConnectorState, { open = true, station = up } = {}) =>
    refusal(canStartCharge(station, { open, state }));

  test('a charge can begin where a vehicle is plugged in or can be, and where the last charge has just ended', () => {
    expect(connectorStates.filter((state) => startsAt(state) === null)).toEqual(['free', 'plugged_in', 'finishing']);
  });

  test('a refused charge names what a person has to change first', () => {
    const reasons = new Map<ConnectorState, Refusal>([
      ['offline', 'station.offline'],
      ['unavailable', 'connector.closed'],
      ['fault', 'connector.fault'],
    ]);
    for (const state of connectorStates) {
      if (startsAt(state) !== null)
        expect([state, startsAt(state)]).toEqual([state, reasons.get(state) ?? 'connector.busy']);
    }
  });

  test('a charge is refused at a disabled station, an offline one and a closed gun port, in this order', () => {
    for (const state of connectorStates) {
      for (const open of [true, false]) {
        expect(startsAt(state, { open, station: { ...up, enabled: false, online: false } })).toBe('station.disabled');
        expect(startsAt(state, { open, station: { ...up, enabled: false, online: true } })).toBe('station.disabled');
        expect(startsAt(state, { open, station: { ...up, enabled: true, online: false } })).toBe('station.offline');
      }
      expect(startsAt(state, { open: false })).toBe(state === 'offline' ? 'station.offline' : 'connector.closed');
    }
  });
});

test('a station agreed when it acts now, after this charge or after a restart, and by no other answer', () => {
  const outcomes: { [Kind in CommandOutcome['kind']]: Extract<CommandOutcome, { kind: Kind }> } = {
    accepted: { kind: 'accepted' },
    scheduled: { kind: 'scheduled' },
    'reboot-required': { kind: 'reboot-required' },
    rejected: { kind: 'rejected' },
    'not-supported': { kind: 'not-supported' },
    failed: { kind: 'failed' },
    configuration: { kind: 'configuration', entries: [], unknownKeys: [] },
    data: { kind: 'data', status: 'Accepted' },
    cards: { kind: 'cards', cards: [] },
    clock: { kind: 'clock', stationTime: null },
    raw: { kind: 'raw', payload: {} },
    'station-error': { kind: 'station-error', code: 'InternalError', description: '' },
    'timed-out': { kind: 'timed-out' },
    offline: { kind: 'offline' },
    busy: { kind: 'busy' },
  };
  const agreed = Object.values(outcomes).filter(isAgreed);
  expect(agreed.map(({ kind }) => kind)).toEqual(['accepted', 'scheduled', 'reboot-required']);
});
