import { type ConsoleEvent, eventPermissions, streamEvents } from '@voltdeck/contract/events';
import { isInScope } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import type { Binder } from './bind.ts';
import type { Streams } from './open-streams.ts';

/** Server-sent events: what the caller may hear of each event of the bus in their data scope, as it happens. */
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

/** What can be told of an event, the most first: an order without its money where only ports or sums may be seen. */
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

/** Written once for all the consoles that hear it. */
function textOf(event: ConsoleEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event);
  texts.set(event, text);
  return text;
}
