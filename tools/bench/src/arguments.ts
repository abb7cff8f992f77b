import { parseArgs } from 'node:util';
import { failed, ok, type Result } from '@voltdeck/units/result';

export const benchNames = [
  'ingest',
  'settle',
  'shares',
  'sales',
  'statistics',
  'flood',
  'idle-connections',
  'login-page',
  'tab-switch',
  'first-visit',
  'site-map',
  'screen',
  'order-list',
  'ledger-lists',
  'money-lists',
  'list-filters',
  'search',
  'partner-queue',
  'partner-storm',
  'ykc-frames',
  'envelopes',
  'charge-rules',
  'rehearsal',
  'reconciliation',
] as const;
export type BenchName = (typeof benchNames)[number];
export type BenchOrder = { benches: readonly BenchName[]; quick: boolean; seed: number };

export const usage = `npm run bench [-- name ...] [-- --quick] [-- --seed number]

  ingest            durable meter values per CPU-second, by OCPP against a bare ws server and by YKC against OCPP
  settle            whole charges per CPU-second, against bare money transactions
  shares            whole charges that five parties share in, against those that are the platform's alone
  sales             whole charges whose sums are kept, against those whose are not
  statistics        figures of a year of 10,000,000 orders, against their bare SQL over the kept sums, and the rebuild of
                    these sums; fills some 22 GB of the temporary folder for a while
  flood             what honest stations and a person at the console feel of stations that flood, strangers who try
                    numbers and users who search and export without end, against the same calm
  idle-connections  memory of 10,000 connected stations, by OCPP and by YKC
  login-page        Lighthouse's performance score of the sign-in page
  tab-switch        what going back to the tab of a list of 100 rows renders, against building the list
  first-visit       what the first visit to each screen takes, from the click to the first row, against its kept tab
  site-map          the home map with 20,000 sites until its first mark and while it is dragged, against a bare page of
                    Leaflet and supercluster
  screen            the big screen while eight hours of ten demo networks are played in some minutes: its memory, its
                    longest frame, and its figures at the end against SQL
  order-list        the order list at 10,000,000 orders, against its SQL and the list at 100,000;
                    fills some 22 GB of the temporary folder for a while (TMPDIR moves it)
  ledger-lists      the transfers and accounts of the books at 10,000,000 transfers, against their SQL;
                    fills some 7 GB of the temporary folder for a while
  money-lists       recharges and movements of balances at 10,000,000 of each, against their SQL, with their sums of a
                    million; fills some 8 GB of the temporary folder for a while
  list-filters      every filter of the lists of sites, stations and ports at 20,000 sites and 100,000 stations, against
                    its bare SQL and a bare server that answers it
  search            every record by number, phone, plate and name at 10,000,000 orders, against a statement that looks
                    where it is; fills some 25 GB of the temporary folder for a while
  partner-queue     what partners are told, at 10,000,000 deliveries by every filter and several together, against its SQL;
                    fills some 5 GB of the temporary folder for a while
  partner-storm     60,000 changes of 20,000 gun ports told to two partners within their rates, the latest state of each,
                    against bare sealed HTTP posts
  ykc-frames        a million broken YKC frames read, against a bare length-and-CRC scan of the same bytes
  envelopes         100,000 broken T/CEC 102 envelopes verified, opened and read, against the bare cryptography of the
                    same bytes; --seed names them
  charge-rules      a million events of random stories through the rules of charges, against a bare loop that draws
                    the same; --seed names the first story
  rehearsal         100,000 past charges priced again, against reading the same rows by pg
  reconciliation    a day compared with a bill of 100,000 lines with planted differences, against the same match by hand

Without a name all of them run. --quick lists 1,000,000 orders, transfers, movements or deliveries instead.
Ends with 1 when a bench could not measure or a bound is missed.`;

/** The benches to run, in order; the error is a line for the user. */
export function readArguments(words: readonly string[]): Result<BenchOrder | 'help', string> {
  let parsed: { values: { quick: boolean; help: boolean; seed: string }; positionals: string[] };
  try {
    parsed = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        seed: { type: 'string', default: '1' },
      },
    });
  } catch (error) {
    return failed(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help) return ok('help');
  const unknown = positionals.find((word) => !isBench(word));
  if (unknown !== undefined) return failed(`there is no bench "${unknown}"`);
  if (!/^\d{1,9}$/.test(values.seed)) return failed(`a seed is a whole number, not "${values.seed}"`);
  const chosen = positionals.filter(isBench);
  return ok({
    benches: chosen.length === 0 ? benchNames : [...new Set(chosen)],
    quick: values.quick,
    seed: Number(values.seed),
  });
}

function isBench(word: string): word is BenchName {
  return (benchNames as readonly string[]).includes(word);
}
