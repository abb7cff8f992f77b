import type { ApiError } from '@voltdeck/contract/errors';
import type { Caller } from '@voltdeck/server/caller/caller';
import { type Trx, transact } from '@voltdeck/server/database/transact';
import { createPriceChange } from '@voltdeck/server/price-changes/create-price-change';
import { startRehearsal } from '@voltdeck/server/rehearsals/start-rehearsal';
import { startStationCommands } from '@voltdeck/server/stations/commands/start-station-commands';
import type { TariffId } from '@voltdeck/units/id';
import { type Instant, secondMs, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { moneyWorks } from './money-work.ts';
import { monthFrom, nextMonth } from './month.ts';
import type { Network } from './network.ts';
import { nightTariff, taxiTariff } from './tariffs.ts';
import { type Office, readCaller, type Work } from './work.ts';
import { readMark } from './world-mark.ts';

/** Who does it: the head of operations of the platform. */
const userName = 'ops';
const stateKey = 'demo.work';
const lookEveryMs = 3 * secondMs;
/** The share of the stations to wait for that are connected. */
const connectedShare = 0.9;

const works: readonly Work[] = [
  {
    name: 'price-change-next-month',
    isReady: async () => true,
    do: (trx, caller, { network }, at) =>
      changePrices(trx, caller, network, at, {
        name: '武汉各站夜间优惠',
        remark: '与物业商定，下月一日零点起执行',
        rule: nightTariff,
        city: '4201',
        effectiveAt: nextMonth(at),
      }),
  },
  {
    name: 'price-change-now',
    isReady: areConnected,
    do: (trx, caller, { network }, at) =>
      changePrices(trx, caller, network, at, {
        name: '成都各站出租车优惠',
        remark: '出租车公司框架协议，当天生效',
        rule: taxiTariff,
        city: '5101',
        effectiveAt: at,
      }),
  },
  {
    name: 'clear-caches',
    isReady: areConnected,
    do: (trx, caller, { context, network }, at) => {
      const stationIds = network.stations.filter(({ site }) => site.agent === 0).map(({ id }) => id);
      return startStationCommands(trx, caller, { kind: 'clear-cache', stationIds }, { at, secrets: context.secrets });
    },
  },
  {
    name: 'rehearsal',
    isReady: async ({ context }) => (await readMark(context.database.pool))?.daysLeft === 0,
    do: async (trx, caller, { network }, at) => {
      const tariffId = await ruleNamed(trx, nightTariff);
      const agentId = network.sites.find(({ regionCode }) => regionCode.startsWith('4201'))?.agentId;
      if (tariffId === null || agentId === null || agentId === undefined) return notThere;
      const month = { from: toIso(monthFrom(at, -1)), to: toIso(monthFrom(at, 0)) };
      return startRehearsal(trx, caller, { tariffId, agentId, ...month }, at);
    },
  },
  ...moneyWorks,
];

const notThere = failed({ code: 'record.not_found' } as const);

/**
 * What the demo's people have under way: a price change for next month and one that just took effect, a command for many
 * stations of which some refuse, a rehearsal, and what the money screens show. It waits for stations and history, and is done once per network,
 * whoever restarts it meanwhile.
 */
export function doOfficeWork(office: Office): { stop(): Promise<void> } {
  const { log } = office.context;
  let waiting = [...works];
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = async (): Promise<void> => {
    for (const work of waiting) {
      if (stopped) return;
      try {
        if (!(await work.isReady(office))) continue;
        const done = await doOnce(office, work);
        if (!done.ok) log.warn({ work: work.name, code: done.error.code }, 'demo: some of its work was refused');
        waiting = waiting.filter((each) => each !== work);
      } catch (error) {
        // The database may be unavailable for a while.
        log.warn({ work: work.name, error: String(error) }, 'demo: some of its work failed and is tried again');
      }
    }
  };
  const lookAgain = (): void => {
    if (stopped || waiting.length === 0) return;
    timer = setTimeout(() => {
      looking = look().then(lookAgain);
    }, lookEveryMs);
  };
  let looking = look().then(lookAgain);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** The mark and the work are committed together. */
async function doOnce(office: Office, work: Work): Promise<Result<unknown, ApiError>> {
  const { database, now } = office.context;
  return transact(database.db, async (trx): Promise<Result<unknown, ApiError>> => {
    await trx
      .insertInto('configs')
      .values({ key: stateKey, name: '演示数据操作', value: '[]', remark: '由演示网络写入' })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    const { value } = await trx
      .selectFrom('configs')
      .select('value')
      .where('key', '=', stateKey)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const done = JSON.parse(value) as string[];
    if (done.includes(work.name)) return ok(null);
    const caller = await readCaller(trx, userName);
    // Somebody has deleted the user: nobody is left to do it.
    if (caller === null) return notThere;
    await trx
      .updateTable('configs')
      .set({ value: JSON.stringify([...done, work.name]) })
      .where('key', '=', stateKey)
      .execute();
    return work.do(trx, caller, office, now());
  });
}

/** Whether most stations that the demo plays are connected. */
async function areConnected({ context, network }: Office): Promise<boolean> {
  const played = network.stations.filter(({ presence }) => presence === 'lively' || presence === 'idle');
  const { online } = await context.database.db
    .selectFrom('stations')
    .select((eb) => eb.fn.countAll<number>().as('online'))
    .where('online', '=', true)
    .where(
      'id',
      'in',
      played.map(({ id }) => id),
    )
    .executeTakeFirstOrThrow();
  return online >= connectedShare * played.length;
}

async function changePrices(
  trx: Trx,
  caller: Caller,
  { sites }: Network,
  at: Instant,
  change: {
    name: string;
    remark: string;
    rule: string /** As `cityOf` says it. */;
    city: string;
    effectiveAt: Instant;
  },
): Promise<Result<unknown, ApiError>> {
  const { name, remark, rule, city, effectiveAt } = change;
  const ruleId = await ruleNamed(trx, rule);
  if (ruleId === null) return notThere;
  const siteIds = sites.filter(({ regionCode, dc }) => regionCode.startsWith(city) && dc > 0).map(({ id }) => id);
  return createPriceChange(
    trx,
    caller,
    { name, remark, ruleId, by: 'sites', siteIds, slots: 'both', effectiveAt: toIso(effectiveAt) },
    at,
  );
}

async function ruleNamed(trx: Trx, name: string): Promise<TariffId | null> {
  const rule = await trx
    .selectFrom('tariffs')
    .select('rule_id')
    .where('name', '=', name)
    .where('state', '=', 'in_force')
    .executeTakeFirst();
  return rule?.rule_id ?? null;
}
