import { type ConsoleEvent, eventPermissions, streamEvents } from '@voltdeck/contract/events';
import { isInScope } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import type { Binder } from './bind.ts';
import type { Streams } from './open-streams.ts';

/** Server-sent events: the events of the bus that the caller's permissions and data scope allow, as they happen. */
export function bindEvents({ bindStream }: Binder, context: Context<'console'>, streams: Streams): void {
  bindStream(streamEvents, async (call, reply) =>
    streams.open(streamEvents, call, reply, (stream) => {
      let hasMissed = false;
      const stopHearing = context.bus.subscribe((scoped) => {
        const concerns = 'userId' in scoped ? scoped.userId === call.caller.userId : isInScope(stream, scoped.agentId);
        if (!concerns) return;
        const event = viewsOf(scoped.event).find(({ kind }) => stream.mayHear(eventPermissions[kind]));
        if (event === undefined) return;
        if (stream.isFull()) hasMissed = true;
        else stream.send(textOf(event));
      });
      return {
        drained() {
          if (!hasMissed) return;
          hasMissed = false;
          stream.send(textOf({ kind: 'missed' }));
        },
        ended: stopHearing,
      };
    }),
  );
}

type OrderChanged = Extract<ConsoleEvent, { kind: 'order-changed' }>;

const views = new WeakMap<OrderChanged, readonly ConsoleEvent[]>();

/**
 * The versions of an event, most detailed first: an order without its money where the caller sees only ports or totals.
 */
function viewsOf(event: ConsoleEvent): readonly ConsoleEvent[] {
  if (event.kind !== 'order-changed') return [event];
  const known = views.get(event);
  if (known !== undefined) return known;
  const { orderId, number, state, connectorId, powerW, socPercent, at } = event;
  const made: readonly ConsoleEvent[] = [
    event,
    { kind: 'port-order-changed', orderId, number, state, connectorId, powerW, socPercent, at },
    { kind: 'figures-changed' },
  ];
  views.set(event, made);
  return made;
}

const texts = new WeakMap<ConsoleEvent, string>();

/** Serialised once for all consoles that receive it. */
function textOf(event: ConsoleEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event);
  texts.set(event, text);
  return text;
}
