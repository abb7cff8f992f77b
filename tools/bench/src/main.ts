import { cpus, loadavg, totalmem } from 'node:os';
import { type BenchOrder, readArguments, usage } from './arguments.ts';
import { benchChargeRules } from './charge-rules.ts';
import { benchEnvelopes } from './envelopes.ts';
import { benchFirstVisit } from './first-visit.ts';
import { benchFlood } from './flood.ts';
import { benchIdleConnections } from './idle-connections.ts';
import { benchIngest } from './ingest.ts';
import { benchLedgerLists } from './ledger-lists.ts';
import { benchListFilters } from './list-filters.ts';
import { benchLoginPage } from './login-page.ts';
import { benchMoneyLists } from './money-lists.ts';
import { benchOrderList } from './order-list.ts';
import { benchPartnerQueue } from './partner-queue.ts';
import { benchPartnerStorm } from './partner-storm.ts';
import { stopEverything } from './product.ts';
import { benchReconciliation } from './reconciliation.ts';
import { benchRehearsal } from './rehearsal.ts';
import { benchSales } from './sales.ts';
import { benchScreen } from './screen.ts';
import { benchSearch } from './search.ts';

import { benchSettle } from './settle.ts';
import { benchShares } from './shares.ts';
import { benchSiteMap } from './site-map.ts';
import { benchStatistics } from './statistics.ts';
import { benchTabSwitch } from './tab-switch.ts';
import { benchYkcFrames } from './ykc-frames.ts';

const exitUsage = 64;

const benches = {
  ingest: () => benchIngest(),
  settle: () => benchSettle(),
  shares: () => benchShares(),
  sales: () => benchSales(),
  statistics: benchStatistics,
  flood: () => benchFlood(),
  'idle-connections': () => benchIdleConnections(),
  'login-page': () => benchLoginPage(),
  'tab-switch': () => benchTabSwitch(),
  'first-visit': () => benchFirstVisit(),
  'site-map': () => benchSiteMap(),
  screen: () => benchScreen(),
  'order-list': benchOrderList,
  'ledger-lists': benchLedgerLists,
  'money-lists': benchMoneyLists,
  'list-filters': () => benchListFilters(),
  search: benchSearch,
  'partner-queue': benchPartnerQueue,
  'partner-storm': () => benchPartnerStorm(),
  'ykc-frames': () => benchYkcFrames(),
  envelopes: ({ seed }: BenchOrder) => benchEnvelopes(seed),
  'charge-rules': ({ seed }: BenchOrder) => benchChargeRules(seed),
  rehearsal: ({ seed }: BenchOrder) => benchRehearsal(seed),
  reconciliation: ({ seed }: BenchOrder) => benchReconciliation(seed),
};

const read = readArguments(process.argv.slice(2));
if (!read.ok) {
  console.error(`${read.error}\nnpm run bench -- --help lists the benches`);
  process.exitCode = exitUsage;
} else if (read.value === 'help') {
  console.log(usage);
} else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stopEverything().then(() => process.exit(130)));
  }
  console.log(machine());
  const misses: string[] = [];
  for (const name of read.value.benches) {
    try {
      misses.push(...(await benches[name](read.value)));
    } catch (error) {
      console.error(error);
      misses.push(`${name}: could not be measured`);
    }
    await stopEverything();
  }
  for (const miss of misses) console.error(`missed  ${miss}`);
  process.exit(misses.length === 0 ? 0 : 1);
}

/** The machine of the figures. */
function machine(): string {
  const [processor] = cpus();
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  return `${cpus().length} × ${processor?.model.trim()}, ${memory}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)} before`;
}
