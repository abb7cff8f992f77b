import { type ConsoleEvent, streamEvents } from '@voltdeck/contract/events';
import { isInScope } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import type { Binder } from './bind.ts';
import type { Streams } from './open-streams.ts';

/** Server-sent events: every event of the bus that is in the caller's data scope, as it happens. */
export function bindEvents({ bindStream }: Binder, context: Context<'console'>, streams: Streams): void {
  bindStream(streamEvents, async (call, reply) =>
    streams.open(streamEvents, call, reply, (stream) => {
      let hasMissed = false;
      const stopHearing = context.bus.subscribe((scoped) => {
        const concerns = 'userId' in scoped ? scoped.userId === call.caller.userId : isInScope(stream, scoped.agentId);
        if (!concerns) return;
        if (stream.isFull()) hasMissed = true;
        else stream.send(textOf(scoped.event));
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

const texts = new WeakMap<ConsoleEvent, string>();

/** Written once for all the consoles that hear it. */
function textOf(event: ConsoleEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event);
  texts.set(event, text);
  return text;
}
