import type { Random } from '@voltdeck/simulator/seeded';
import { VirtualStation } from '@voltdeck/simulator/virtual-station';
import { minuteMs, secondMs } from '@voltdeck/units/instant';

export const knockLimits = { everyMs: 7 * minuteMs, firstMs: 20 * secondMs } as const;
/** Unregistered numbers: new stations whose paperwork is late. */
const strangerNumbers = ['44030601000901', '33011001000902', '11010501000903'] as const;

/** One unknown station at a time: it is refused and leaves, and another comes some minutes later. */
export function knock(
  url: string,
  random: Random,
  limits: { everyMs: number; firstMs: number } = knockLimits,
): { stop(): Promise<void> } {
  let visitor: VirtualStation | null = null;
  let timer: NodeJS.Timeout;
  let stopped = false;
  const leave = async (): Promise<void> => {
    const leaving = visitor;
    visitor = null;
    await leaving?.stop();
  };
  const visit = (): void => {
    const station = new VirtualStation({
      url,
      number: random.pick(strangerNumbers),
      connectors: 2,
      kind: 'dc',
      maxPowerKw: 120,
      seed: random.integer(1, 2 ** 31),
    });
    visitor = station;
    station.on((news) => {
      if (news.kind === 'link-closed' && visitor === station) void leave();
    });
    station.start();
    if (!stopped) timer = setTimeout(visitAgain, random.between(0.6, 1.4) * limits.everyMs);
  };
  const visitAgain = (): void => {
    void leave().then(() => {
      if (!stopped) visit();
    });
  };
  timer = setTimeout(visit, limits.firstMs);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await leave();
    },
  };
}
