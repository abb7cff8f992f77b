import { type TileProvider, tileProviders } from '@voltdeck/contract/settings';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { z } from 'zod';
import type { SmsSettings } from './sms/create-sms-sender.ts';

/** The parts of the server that this process runs; `all` is every one of them. */
export const processRoles = ['all', 'api', 'gateway', 'worker'] as const;
export type ProcessRole = (typeof processRoles)[number];

/** Exit code for a wrong setting (EX_CONFIG of BSD's sysexits.h). */
export const wrongSettingExitCode = 78;

/** What MAP_PROVIDER, MAP_KEY and MAP_TILES say. */
export type MapSettings = {
  provider: 'embedded' | TileProvider;
  /** Goes to every browser, as the services intend; they bind it to the console's address. */
  key: string | null;
  /** Addresses instead of the provider's own, for a proxy or another of its layers; empty for none. */
  tiles: readonly string[];
};

/** The settings of a process. Files are given as paths, read where they are needed. */
export interface Environment {
  /** 0 lets the system choose a free port. */
  port: number;
  host: string;
  /** 0 lets the system choose a free port; null turns the YKC gateway off. */
  ykcPort: number | null;
  dataDir: string;
  /** null: the embedded PostgreSQL. A secret, as it may hold a password. */
  databaseUrl: string | null;
  role: ProcessRole;
  /** null: generated into DATA_DIR/admin-password. */
  adminPassword: string | null;
  /** `when-empty`: the demo network is created if the database is empty. */
  demo: 'when-empty' | 'always' | 'never';
  tls: { cert: string; key: string; clientCa: string | null } | null;
  /** null: /metrics answers the loopback only. A secret. */
  metricsToken: string | null;
  /** Holds secrets. */
  sms: SmsSettings;
  /** Holds a key that browsers get to know. */
  map: MapSettings;
}

/** One wrong setting. `value` is what was given, or null where it might be a secret. */
export interface SettingFault {
  setting: string;
  value: string | null;
  allowed: string;
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

const port = {
  schema: wholeNumber(0, 65_535),
  allowed: 'a whole number from 0 to 65535',
  secret: false,
};

const ykcPort = {
  schema: z.union([
    z.literal('any').transform(() => 0),
    // 0, which elsewhere means any port, means no port here.
    port.schema.transform((number) => (number === 0 ? null : number)),
  ]),
  allowed: 'a whole number from 1 to 65535, "any" for any free port, or 0 for none',
  secret: false,
};

const file = { schema: z.string().max(4_096), allowed: 'the path of a PEM file', secret: false };

const notYet = (what: string) => ({
  schema: z.never(),
  allowed: `left unset: this version ${what}`,
  secret: true,
});

const embeddedOnly = {
  schema: z.literal('embedded'),
  allowed: '"embedded", the only provider of this version',
  secret: false,
};

/** Every setting with its allowed values. The sentence completes "… must be". */
const known = {
  PORT: port,
  YKC_PORT: ykcPort,
  HOST: {
    schema: z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/),
    allowed: 'an address or a host name such as 127.0.0.1, 0.0.0.0 or ::',
    secret: false,
  },
  DATA_DIR: { schema: z.string().max(4_096), allowed: 'the path of a folder', secret: false },
  DATABASE_URL: {
    schema: z.string().refine(isPostgresUrl),
    allowed: 'a URL like postgres://user:password@host:5432/database',
    secret: true,
  },
  ROLE: { schema: z.enum(processRoles), allowed: `one of ${processRoles.join(', ')}`, secret: false },
  ADMIN_PASSWORD: { schema: z.string().min(8).max(128), allowed: 'from 8 to 128 characters', secret: true },
  DEMO: { schema: z.enum(['0', '1']), allowed: '0 or 1', secret: false },
  METRICS_TOKEN: {
    schema: z.string().regex(/^[\x21-\x7e]{16,256}$/),
    allowed: 'from 16 to 256 characters without spaces',
    secret: true,
  },
  TLS_CERT: file,
  TLS_KEY: file,
  TLS_CLIENT_CA: file,
  NATS_URL: notYet('runs as one process and has no bus between nodes'),
  S3_ENDPOINT: notYet('keeps files in DATA_DIR'),
  S3_BUCKET: notYet('keeps files in DATA_DIR'),
  S3_REGION: notYet('keeps files in DATA_DIR'),
  S3_ACCESS_KEY_ID: notYet('keeps files in DATA_DIR'),
  S3_SECRET_ACCESS_KEY: notYet('keeps files in DATA_DIR'),
  SMS_PROVIDER: { schema: z.enum(['embedded', 'aliyun']), allowed: '"embedded" or "aliyun"', secret: false },
  SMS_ACCESS_KEY_ID: { schema: z.string().regex(/^[\x21-\x7e]{8,128}$/), allowed: 'an AccessKey ID', secret: true },
  SMS_ACCESS_KEY_SECRET: {
    schema: z.string().regex(/^[\x21-\x7e]{8,128}$/),
    allowed: 'an AccessKey secret',
    secret: true,
  },
  SMS_SIGN_NAME: {
    schema: z.string().regex(/^[^\p{C}]{1,64}$/u),
    allowed: 'an approved signature of at most 64 characters',
    secret: false,
  },
  SMS_TEMPLATE_REGISTER: {
    schema: z.string().regex(/^SMS_\d{1,20}$/),
    allowed: 'the code of a template with the variable "code", such as SMS_154950909',
    secret: false,
  },
  SMS_ENDPOINT: {
    schema: z.string().regex(/^(?:https?:\/\/)?[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$/),
    allowed: 'a host such as dysmsapi.aliyuncs.com',
    secret: false,
  },
  MAP_PROVIDER: {
    schema: z.enum(['embedded', ...tileProviders]),
    allowed: '"embedded", "tianditu" or "amap"',
    secret: false,
  },
  MAP_KEY: { schema: z.string().regex(/^[\x21-\x7e]{4,256}$/), allowed: 'a key of the map service', secret: true },
  MAP_TILES: {
    schema: z
      .string()
      .transform((text) => text.split(/\s+/))
      .pipe(z.array(z.string().refine(isTileAddress)).max(4)),
    allowed: 'up to four http(s) addresses with {x}, {y} and {z}, separated by spaces',
    secret: true,
  },
  INVOICE_PROVIDER: embeddedOnly,
  PAYMENT_PROVIDER: embeddedOnly,
} as const;

type KnownSetting = keyof typeof known;
export const settingNames = Object.keys(known) as readonly KnownSetting[];

const defaults = { PORT: '8080', HOST: '127.0.0.1', YKC_PORT: '8768', DATA_DIR: './data', ROLE: 'all' } as const;

/**
 * Reads the settings from an environment. An empty value counts as unset. Other names are ignored, except misspelt ones
 * of the S3_ family, which would otherwise silently have no effect.
 * @returns every fault at once, in the order of the names.
 */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
): Result<Environment, SettingFault[]> {
  const faults: SettingFault[] = [];
  const given = (name: KnownSetting): string | undefined => {
    const value = variables[name]?.trim();
    return value === '' ? undefined : value;
  };
  const read = <Name extends KnownSetting>(name: Name): z.output<(typeof known)[Name]['schema']> | undefined => {
    const { schema, allowed, secret } = known[name];
    const value = given(name) ?? (name in defaults ? defaults[name as keyof typeof defaults] : undefined);
    if (value === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data as z.output<(typeof known)[Name]['schema']>;
    faults.push({ setting: name, value: secret ? null : value, allowed });
    return undefined;
  };

  const values = {
    port: read('PORT'),
    host: read('HOST'),
    ykcPort: read('YKC_PORT'),
    dataDir: read('DATA_DIR'),
    role: read('ROLE'),
  };
  const databaseUrl = read('DATABASE_URL') ?? null;
  const adminPassword = read('ADMIN_PASSWORD') ?? null;
  const demo = read('DEMO');
  const metricsToken = read('METRICS_TOKEN') ?? null;
  const cert = read('TLS_CERT') ?? null;
  const key = read('TLS_KEY') ?? null;
  const clientCa = read('TLS_CLIENT_CA') ?? null;
  const sms = readSms(read, given, faults);
  const map: MapSettings = {
    provider: read('MAP_PROVIDER') ?? 'embedded',
    key: read('MAP_KEY') ?? null,
    tiles: read('MAP_TILES') ?? [],
  };
  for (const name of settingNames) if (/^(NATS_|S3_)|^(SMS|INVOICE|PAYMENT)_PROVIDER$/.test(name)) read(name);
  for (const name of Object.keys(variables)) {
    if (/^S3_/.test(name) && !(name in known) && variables[name] !== '') {
      faults.push({ setting: name, value: null, allowed: known.S3_BUCKET.allowed });
    }
  }
  if (cert !== null && key === null) faults.push({ setting: 'TLS_KEY', value: '', allowed: 'set when TLS_CERT is' });
  if (key !== null && cert === null) faults.push({ setting: 'TLS_CERT', value: '', allowed: 'set when TLS_KEY is' });
  if (clientCa !== null && cert === null && key === null) {
    faults.push({ setting: 'TLS_CERT', value: '', allowed: 'set when TLS_CLIENT_CA is' });
  }
  if (values.role !== undefined && values.role !== 'all') {
    // Split processes could not reach each other: a gateway would get no commands and the console no events.
    faults.push({
      setting: 'ROLE',
      value: values.role,
      allowed: '"all": the other roles need a bus between nodes, which this version does not have',
    });
  }
  if (values.port !== undefined && values.port !== 0 && values.port === values.ykcPort) {
    faults.push({ setting: 'YKC_PORT', value: String(values.ykcPort), allowed: 'another port than PORT' });
  }

  const { port: portNumber, host, ykcPort: ykcPortNumber, dataDir, role } = values;
  if (
    faults.length > 0 ||
    portNumber === undefined ||
    host === undefined ||
    ykcPortNumber === undefined ||
    dataDir === undefined ||
    role === undefined
  ) {
    return failed(faults);
  }
  return ok({
    port: portNumber,
    host,
    ykcPort: ykcPortNumber,
    dataDir,
    databaseUrl,
    role,
    adminPassword,
    demo: demo === undefined ? 'when-empty' : demo === '1' ? 'always' : 'never',
    metricsToken,
    sms,
    map,
    tls: cert === null || key === null ? null : { cert, key, clientCa },
  });
}

/** The settings of an SMS provider are required only where it is chosen. */
function readSms(
  read: (
    name: 'SMS_ACCESS_KEY_ID' | 'SMS_ACCESS_KEY_SECRET' | 'SMS_SIGN_NAME' | 'SMS_TEMPLATE_REGISTER' | 'SMS_ENDPOINT',
  ) => string | undefined,
  given: (name: KnownSetting) => string | undefined,
  faults: SettingFault[],
): SmsSettings {
  const text = (name: Parameters<typeof read>[0]): string => {
    if (given(name) === undefined && given('SMS_PROVIDER') === 'aliyun') {
      faults.push({ setting: name, value: '', allowed: 'set when SMS_PROVIDER is "aliyun"' });
    }
    return read(name) ?? '';
  };
  const aliyun = {
    accessKeyId: text('SMS_ACCESS_KEY_ID'),
    accessKeySecret: text('SMS_ACCESS_KEY_SECRET'),
    signName: text('SMS_SIGN_NAME'),
    templateRegister: text('SMS_TEMPLATE_REGISTER'),
    endpoint: read('SMS_ENDPOINT') ?? null,
  };
  return given('SMS_PROVIDER') === 'aliyun' ? { provider: 'aliyun', ...aliyun } : { provider: 'embedded' };
}

/** One line for the operator's log: the setting, the value unless it is secret, and the allowed values. */
export function describeFault({ setting, value, allowed }: SettingFault): string {
  const given = value === null ? '' : value === '' ? ' is not set; it' : ` is "${value.slice(0, 200)}"; it`;
  return `${setting}${given} must be ${allowed}`;
}

function isTileAddress(text: string): boolean {
  const isWhole = ['{x}', '{y}', '{z}'].every((part) => text.includes(part));
  // A subdomain in braces would not parse.
  return isWhole && /^https?:\/\//.test(text) && URL.canParse(text.replaceAll('{s}', '1'));
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol);
}
