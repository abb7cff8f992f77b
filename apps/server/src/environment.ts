import { type PaymentChannelName, paymentChannels } from '@voltdeck/contract/payment-channels';
import { type TileProvider, tileProviders } from '@voltdeck/contract/settings';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { z } from 'zod';
import type { AlipaySettings, ChannelSettings, WechatSettings } from './channels/channel-settings.ts';
import type { InvoicingSettings } from './invoicing/invoicing-settings.ts';
import type { MailSettings } from './mail/mail-sender.ts';
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
  /** Holds a secret; null where no mail is sent. */
  mail: MailSettings | null;
  /** Holds a key that browsers get to know. */
  map: MapSettings;
  /** Holds secrets. */
  channels: ChannelSettings;
  invoicing: InvoicingSettings;
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

const keyFile = {
  schema: z.string().regex(/^[^\p{Cc}]{1,4096}$/u),
  allowed: 'the path of a file with the key',
  secret: false,
};
const certificateFile = { ...keyFile, allowed: 'the path of a file with the certificate' };
const otherAddress = {
  schema: z.string().refine((text) => isHttpAddress(text)),
  allowed: 'an http(s) address',
  // It may hold a password.
  secret: true,
};

const notYet = (what: string) => ({
  schema: z.never(),
  allowed: `left unset: this version ${what}`,
  secret: true,
});

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
  SMTP_URL: {
    schema: z
      .string()
      .refine(
        (text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '',
      ),
    allowed: 'an address such as smtps://user:password@smtp.example.com or smtp://smtp.example.com:587',
    secret: true,
  },
  SMTP_FROM: {
    schema: z.string().regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/),
    allowed: 'a mail address',
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
  INVOICE_PROVIDER: { schema: z.enum(['embedded', 'nuonuo']), allowed: '"embedded" or "nuonuo"', secret: false },
  NUONUO_APP_KEY: { schema: z.string().regex(/^[\x21-\x7e]{4,64}$/), allowed: 'an appKey of Nuonuo', secret: false },
  NUONUO_APP_SECRET: {
    schema: z.string().regex(/^[\x21-\x7e]{12,128}$/),
    allowed: 'the appSecret of that appKey',
    secret: true,
  },
  NUONUO_BASE_URL: otherAddress,
  NUONUO_TOKEN_URL: otherAddress,
  PAYMENT_PROVIDER: {
    schema: z.union([
      z.literal('none').transform((): PaymentChannelName[] => []),
      z
        .string()
        .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
        .pipe(z.array(z.enum(paymentChannels)).min(1)),
    ]),
    allowed: '"none", or one or more of embedded, wechat and alipay, separated by commas',
    secret: false,
  },
  PUBLIC_URL: {
    schema: z
      .string()
      .refine((text) => isHttpAddress(text) && new URL(text).search === '' && new URL(text).hash === '')
      .transform((text) => text.replace(/\/+$/, '')),
    allowed: 'the http(s) address under which this server is reached from outside',
    secret: true,
  },
  WECHAT_MCH_ID: { schema: z.string().regex(/^\d{8,32}$/), allowed: 'a merchant number', secret: false },
  WECHAT_APP_ID: {
    schema: z.string().regex(/^wx[0-9a-z]{16}$/),
    allowed: 'an app id such as wxd678efh567hg6787',
    secret: false,
  },
  WECHAT_API_V3_KEY: {
    schema: z.string().regex(/^[\x21-\x7e]{32}$/),
    allowed: 'the API v3 key of 32 characters',
    secret: true,
  },
  WECHAT_PRIVATE_KEY: keyFile,
  WECHAT_CERT_SERIAL: {
    schema: z.string().regex(/^[0-9A-Fa-f]{16,40}$/),
    allowed: "the serial number of the merchant's certificate, 16 to 40 hexadecimal digits",
    secret: false,
  },
  WECHAT_PUBLIC_KEY: keyFile,
  WECHAT_PUBLIC_KEY_ID: {
    schema: z.string().regex(/^PUB_KEY_ID_\d{8,64}$/),
    allowed: "the number of WeChat Pay's public key, which begins with PUB_KEY_ID_",
    secret: true,
  },
  WECHAT_TRANSFER_SCENE: {
    schema: z.string().regex(/^\d{1,8}$/),
    allowed: 'the number of a transfer scene such as 1000',
    secret: false,
  },
  WECHAT_TRANSFER_REPORT: {
    schema: z
      .string()
      .transform((text) => text.split(';').map((pair) => pair.split('=').map((part) => part.trim())))
      .pipe(
        z
          .array(z.tuple([z.string().min(1).max(15), z.string().min(1).max(32)]))
          .min(1)
          .max(10),
      ),
    allowed: 'what the scene has to report, as type=content;type=content',
    secret: false,
  },
  WECHAT_BASE_URL: otherAddress,
  ALIPAY_APP_ID: { schema: z.string().regex(/^\d{8,32}$/), allowed: 'an app id of digits', secret: false },
  ALIPAY_PRIVATE_KEY: keyFile,
  ALIPAY_PUBLIC_KEY: keyFile,
  ALIPAY_APP_CERT: certificateFile,
  ALIPAY_PUBLIC_CERT: certificateFile,
  ALIPAY_ROOT_CERT: certificateFile,
  ALIPAY_SELLER_ID: {
    schema: z.string().regex(/^2088\d{12}$/),
    allowed: 'a seller number of 16 digits from 2088',
    secret: false,
  },
  ALIPAY_BASE_URL: otherAddress,
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
  const mail = readMail(read, given, faults);
  const map: MapSettings = {
    provider: read('MAP_PROVIDER') ?? 'embedded',
    key: read('MAP_KEY') ?? null,
    tiles: read('MAP_TILES') ?? [],
  };
  const channels = readChannels(read, given, faults);
  const invoicing = readInvoicing(read, given, faults);
  for (const name of settingNames) if (/^(NATS_|S3_)|^SMS_PROVIDER$/.test(name)) read(name);
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
    mail,
    map,
    channels,
    invoicing,
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

type Read = <Name extends KnownSetting>(name: Name) => z.output<(typeof known)[Name]['schema']> | undefined;
type Given = (name: KnownSetting) => string | undefined;

/** Mail is sent where both SMTP settings are there. */
function readMail(read: Read, given: Given, faults: SettingFault[]): MailSettings | null {
  const url = read('SMTP_URL');
  const from = read('SMTP_FROM');
  if (url !== undefined && given('SMTP_FROM') === undefined) {
    faults.push({ setting: 'SMTP_FROM', value: '', allowed: 'set when SMTP_URL is' });
  }
  if (from !== undefined && given('SMTP_URL') === undefined) {
    faults.push({ setting: 'SMTP_URL', value: '', allowed: 'set when SMTP_FROM is' });
  }
  if (url === undefined || from === undefined) return null;
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return {
    // Brackets belong to the address, not to the host.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    user: username === '' ? null : decodeURIComponent(username),
    password: decodeURIComponent(password),
    from,
  };
}

/** The key of an invoice service is required only where INVOICE_PROVIDER names it. */
function readInvoicing(read: Read, given: Given, faults: SettingFault[]): InvoicingSettings {
  const provider = read('INVOICE_PROVIDER') ?? 'embedded';
  const needed = (name: 'NUONUO_APP_KEY' | 'NUONUO_APP_SECRET'): string => {
    if (given(name) === undefined && provider === 'nuonuo') {
      faults.push({ setting: name, value: '', allowed: 'set when INVOICE_PROVIDER is "nuonuo"' });
    }
    return read(name) ?? '';
  };
  const nuonuo = {
    appKey: needed('NUONUO_APP_KEY'),
    appSecret: needed('NUONUO_APP_SECRET'),
    baseUrl: read('NUONUO_BASE_URL') ?? null,
    tokenUrl: read('NUONUO_TOKEN_URL') ?? null,
  };
  return provider === 'nuonuo' ? { provider, ...nuonuo } : { provider };
}

/** The keys of a channel are required only where PAYMENT_PROVIDER names it. */
function readChannels(read: Read, given: Given, faults: SettingFault[]): ChannelSettings {
  const on = read('PAYMENT_PROVIDER') ?? ['embedded'];
  const publicUrl = read('PUBLIC_URL') ?? null;
  const needs = (name: KnownSetting, because: string) => {
    if (given(name) === undefined) faults.push({ setting: name, value: '', allowed: `set when ${because}` });
  };
  if (on.includes('wechat') || on.includes('alipay')) needs('PUBLIC_URL', 'PAYMENT_PROVIDER names wechat or alipay');
  const required = (channel: PaymentChannelName, name: KnownSetting) => {
    if (on.includes(channel)) needs(name, `PAYMENT_PROVIDER names ${channel}`);
  };
  const wechat = readWechat(read, required);
  const alipay = readAlipay(read, given, required);
  // Its balances could be paid out by a real channel, or charged for with real electricity.
  const isReal = on.includes('wechat') || on.includes('alipay') || wechat !== null || alipay !== null;
  if (on.includes('embedded') && isReal) {
    faults.push({
      setting: 'PAYMENT_PROVIDER',
      value: given('PAYMENT_PROVIDER') ?? '',
      allowed: '"none", wechat or alipay where one of these has keys: embedded is play money',
    });
  }
  const isFaulty = (name: KnownSetting) => faults.some(({ setting }) => setting === name);
  for (const [name, other] of together) {
    if (given(other) !== undefined && !isFaulty(other)) needs(name, `${other} is`);
  }
  return { on, publicUrl, wechat, alipay };
}

/** The first is needed where the second is set. */
const together = [
  ['WECHAT_PUBLIC_KEY', 'WECHAT_PUBLIC_KEY_ID'],
  ['WECHAT_PUBLIC_KEY_ID', 'WECHAT_PUBLIC_KEY'],
  ['WECHAT_TRANSFER_SCENE', 'WECHAT_TRANSFER_REPORT'],
] as const satisfies readonly (readonly [KnownSetting, KnownSetting])[];

type Required = (channel: PaymentChannelName, name: KnownSetting) => void;

function readWechat(read: Read, required: Required): WechatSettings | null {
  const names = [
    'WECHAT_MCH_ID',
    'WECHAT_APP_ID',
    'WECHAT_API_V3_KEY',
    'WECHAT_PRIVATE_KEY',
    'WECHAT_CERT_SERIAL',
  ] as const;
  for (const name of names) required('wechat', name);
  const [mchId, appId, apiV3Key, privateKeyFile, certSerial] = names.map((name) => read(name));
  const keyFile = read('WECHAT_PUBLIC_KEY');
  const id = read('WECHAT_PUBLIC_KEY_ID');
  const sceneId = read('WECHAT_TRANSFER_SCENE');
  const reports = read('WECHAT_TRANSFER_REPORT') ?? [];
  const baseUrl = read('WECHAT_BASE_URL') ?? null;
  if (
    mchId === undefined ||
    appId === undefined ||
    apiV3Key === undefined ||
    privateKeyFile === undefined ||
    certSerial === undefined
  ) {
    return null;
  }
  return {
    mchId,
    appId,
    apiV3Key,
    privateKeyFile,
    certSerial,
    publicKey: keyFile === undefined || id === undefined ? null : { id, file: keyFile },
    transfer:
      sceneId === undefined ? null : { sceneId, reports: reports.map(([type, content]) => ({ type, content })) },
    baseUrl,
  };
}

function readAlipay(read: Read, given: Given, required: Required): AlipaySettings | null {
  required('alipay', 'ALIPAY_APP_ID');
  required('alipay', 'ALIPAY_PRIVATE_KEY');
  const certificates = ['ALIPAY_APP_CERT', 'ALIPAY_PUBLIC_CERT', 'ALIPAY_ROOT_CERT'] as const;
  const hasCertificates = certificates.some((name) => given(name) !== undefined);
  for (const name of hasCertificates ? certificates : (['ALIPAY_PUBLIC_KEY'] as const)) required('alipay', name);
  const appId = read('ALIPAY_APP_ID');
  const privateKeyFile = read('ALIPAY_PRIVATE_KEY');
  const publicKeyFile = read('ALIPAY_PUBLIC_KEY');
  const [appCertFile, alipayCertFile, rootCertFile] = certificates.map((name) => read(name));
  const sellerId = read('ALIPAY_SELLER_ID') ?? null;
  const baseUrl = read('ALIPAY_BASE_URL') ?? null;
  if (appId === undefined || privateKeyFile === undefined) return null;
  const common = { appId, privateKeyFile, sellerId, baseUrl };
  if (appCertFile !== undefined && alipayCertFile !== undefined && rootCertFile !== undefined) {
    return { ...common, verification: { mode: 'certificates', appCertFile, alipayCertFile, rootCertFile } };
  }
  return publicKeyFile === undefined ? null : { ...common, verification: { mode: 'key', publicKeyFile } };
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

function isHttpAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && text.length <= 200 && URL.canParse(text);
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol);
}
