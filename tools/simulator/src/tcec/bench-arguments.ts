import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { type KeyFault, keyFaults, type PartnerKeys } from '@voltdeck/tcec102/envelope';
import { readProfile } from '@voltdeck/tcec102/profile';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type BenchLanguage, type BenchSettings, benchLanguages, benchRoles } from './bench-settings.ts';

const reportForms = ['.md', '.json', '.html'] as const;
export type ReportForm = (typeof reportForms)[number];

export type BenchArguments = {
  settings: BenchSettings;
  language: BenchLanguage;
  reports: readonly { file: string; form: ReportForm }[];
  /** Null serves no page, and makes the checks at once. */
  pagePort: number | null;
  isSlowToo: boolean;
  /** Identifiers of checks, or what they begin with; empty for all. */
  only: readonly string[];
};

export const benchUsage = `A partner of T/CEC 102 for joint tests: plays the other side, good and bad, and reports on a checklist

  npm run sim -- tcec --role demand --url https://example.com/evcs/v1.0 --operator MA1BENCH1 \\
    --their-operator MA1OURS01 --keys keys.json --report report.html

Roles
  demand          the bench has customers: it tests a server that has stations
  operator        the bench has stations (two invented sites): it tests a server whose customers charge there

Options
  --role          demand or operator
  --url           what the addresses of the tested server's interfaces begin with
  --operator      organization code of the bench, 9 characters
  --their-operator  organization code of the tested side
  --keys          JSON file with the keys: {"theirs": {…}, "ours": {…}}, or one set for both directions. A set has
                  operatorSecret, sigSecret, dataSecret and dataSecretIv. theirs: issued by the tested side, the bench
                  calls with them; ours: issued by the bench. Keys are never printed
  --profile       JSON file with the partner's profile; default: the text of 2016
  --host          127.0.0.1   address to listen at; 0.0.0.0 to be reached from outside
  --port          8790        port to listen at (0 to 65535)
  --report        report.md, .json or .html; may be given several times
  --page          port of a page on this machine that shows the list and starts single checks (0 for any); the bench
                  then stays until Ctrl-C
  --language      en          en or zh-CN, of the list and the reports
  --only          makes only checks whose id begins so, such as envelope or charge.start; may be given several times
  --slow          makes the checks that take minutes as well
  --connector     role demand: the gun port to charge at; default: the first that is plugged in or free
  --sites         2           role operator: invented sites (1 to 100)
  --connectors    2           role operator: gun ports of each (1 to 20)
  --power         60          role operator: kW of a gun port (1 to 1000)
  --push          50          role operator: seconds between two pushes of a charge's state (1 to 600)
  --token         7200        seconds that a token of the bench lasts (1 to 604800)
  --hurry         1           how much faster than the standard unconfirmed notifications are repeated (1 to 100)
  --order-first   role operator: the bill overtakes the result of the stop
  --wait          120         seconds to wait for what the other side has to begin (1 to 3600)
  --help          this text

Exit code: 0 when no check failed, 1 when one did, 64 for a wrong option.
`;

const ranges = {
  port: { min: 0, max: 65_535 },
  sites: { min: 1, max: 100 },
  connectors: { min: 1, max: 20 },
  power: { min: 1, max: 1_000 },
  push: { min: 1, max: 600 },
  token: { min: 1, max: 604_800 },
  hurry: { min: 1, max: 100 },
  wait: { min: 1, max: 3_600 },
} as const;

/** Reads the command line and the files that it names. A failure is one line that names the option. */
export function readBenchArguments(argv: readonly string[]): Result<BenchArguments | 'help', string> {
  const parsed = parse(argv);
  if (!parsed.ok) return parsed;
  const { values } = parsed.value;
  if (values.help || argv.length === 0) return ok('help');
  const role = benchRoles.find((each) => each === values.role);
  if (role === undefined) return failed(`--role is ${benchRoles.join(' or ')}, got ${values.role ?? 'nothing'}`);
  const language = benchLanguages.find((each) => each === values.language);
  if (language === undefined) return failed(`--language is ${benchLanguages.join(' or ')}, got ${values.language}`);
  const url = values.url?.replace(/\/+$/, '') ?? '';
  if (!/^https?:\/\/[^\s?#]+$/.test(url)) return failed('--url starts with http:// or https://');
  for (const option of ['operator', 'their-operator'] as const) {
    if (!/^[0-9A-Z]{9}$/.test(values[option] ?? '')) {
      return failed(`--${option} has 9 letters and digits, got ${values[option] ?? 'nothing'}`);
    }
  }
  const faults: string[] = [];
  const number = (name: keyof typeof ranges) => {
    const { min, max } = ranges[name];
    const value = /^\d+$/.test(values[name]) ? Number(values[name]) : Number.NaN;
    if (!(value >= min && value <= max)) faults.push(`--${name} is a whole number from ${min} to ${max}`);
    return value;
  };
  const numbers = {
    port: number('port'),
    sites: number('sites'),
    connectors: number('connectors'),
    powerKw: number('power'),
    pushSeconds: number('push'),
    tokenSeconds: number('token'),
    hurry: number('hurry'),
    waitSeconds: number('wait'),
  };
  const pagePort = values.page === undefined ? null : Number(values.page);
  if (pagePort !== null && !(/^\d+$/.test(values.page ?? '') && pagePort <= ranges.port.max)) {
    faults.push(`--page is a whole number from 0 to ${ranges.port.max}`);
  }
  if (faults[0] !== undefined) return failed(faults[0]);
  const reports = (values.report ?? []).map((file) => ({
    file,
    form: reportForms.find((form) => form === extname(file)),
  }));
  const wrong = reports.find(({ form }) => form === undefined);
  if (wrong !== undefined) return failed(`--report ends with ${reportForms.join(', ')}, got ${wrong.file}`);
  const keys = readKeys(values.keys);
  if (!keys.ok) return keys;
  const profile = values.profile === undefined ? readProfileOf({}) : readProfileFile(values.profile);
  if (!profile.ok) return profile;
  return ok({
    settings: {
      role,
      url,
      operatorId: values.operator ?? '',
      theirOperatorId: values['their-operator'] ?? '',
      theirKeys: keys.value.theirs,
      ourKeys: keys.value.ours,
      profile: profile.value,
      host: values.host,
      connectorId: values.connector ?? null,
      isOrderFirst: values['order-first'],
      ...numbers,
    },
    language,
    reports: reports as { file: string; form: ReportForm }[],
    pagePort,
    isSlowToo: values.slow,
    only: values.only ?? [],
  });
}

function readJsonFile(option: string, file: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    // The text of a syntax fault quotes the file, which may hold keys.
    const because =
      error instanceof SyntaxError ? 'is no JSON' : error instanceof Error ? error.message : String(error);
    return failed(`--${option} ${file}: ${because}`);
  }
}

function readProfileFile(file: string) {
  const json = readJsonFile('profile', file);
  return json.ok ? readProfileOf(json.value) : json;
}

function readProfileOf(json: unknown) {
  const profile = readProfile(json);
  return profile.ok ? profile : failed(`--profile: ${profile.error.field ?? ''} ${profile.error.because}`);
}

function readKeys(file: string | undefined): Result<{ theirs: PartnerKeys; ours: PartnerKeys }, string> {
  if (file === undefined) return failed('--keys names a file with the keys of both directions');
  const json = readJsonFile('keys', file);
  if (!json.ok) return json;
  const given = json.value as { theirs?: unknown; ours?: unknown } | null;
  const theirs = keySet('theirs', given?.theirs ?? given);
  if (!theirs.ok) return theirs;
  const ours = keySet('ours', given?.ours ?? given?.theirs ?? given);
  return ours.ok ? ok({ theirs: theirs.value, ours: ours.value }) : ours;
}

const keyNames = ['operatorSecret', 'sigSecret', 'dataSecret', 'dataSecretIv'] as const;

function keySet(name: string, json: unknown): Result<PartnerKeys, string> {
  const values = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
  for (const key of keyNames) if (typeof values[key] !== 'string') return failed(`--keys: ${name}.${key} is missing`);
  const keys = Object.fromEntries(keyNames.map((key) => [key, values[key]])) as PartnerKeys;
  const [fault]: readonly KeyFault[] = keyFaults(keys);
  return fault === undefined ? ok(keys) : failed(`--keys: ${name}.${fault.key} ${fault.because}`);
}

function parse(argv: readonly string[]) {
  try {
    return ok(
      parseArgs({
        args: [...argv],
        options: {
          role: { type: 'string' },
          url: { type: 'string' },
          operator: { type: 'string' },
          'their-operator': { type: 'string' },
          keys: { type: 'string' },
          profile: { type: 'string' },
          host: { type: 'string', default: '127.0.0.1' },
          port: { type: 'string', default: '8790' },
          report: { type: 'string', multiple: true },
          page: { type: 'string' },
          language: { type: 'string', default: 'en' },
          only: { type: 'string', multiple: true },
          slow: { type: 'boolean', default: false },
          connector: { type: 'string' },
          sites: { type: 'string', default: '2' },
          connectors: { type: 'string', default: '2' },
          power: { type: 'string', default: '60' },
          push: { type: 'string', default: '50' },
          token: { type: 'string', default: '7200' },
          hurry: { type: 'string', default: '1' },
          'order-first': { type: 'boolean', default: false },
          wait: { type: 'string', default: '120' },
          help: { type: 'boolean', short: 'h', default: false },
        },
      }),
    );
  } catch (error) {
    // parseArgs reports a wrong option only by throwing.
    return failed(error instanceof Error ? error.message : String(error));
  }
}
