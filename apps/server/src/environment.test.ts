import { describe, expect, test } from 'vitest';
import { describeFault, readEnvironment, settingNames } from './environment.ts';

function linesOf(environment: Record<string, string>): string[] {
  const result = readEnvironment(environment);
  return result.ok ? [] : result.error.map(describeFault);
}

describe('settings', () => {
  test('settings have the documented defaults', () => {
    expect(readEnvironment({})).toEqual({
      ok: true,
      value: {
        port: 8080,
        host: '127.0.0.1',
        ykcPort: 8768,
        dataDir: './data',
        databaseUrl: null,
        role: 'all',
        adminPassword: null,
        demo: 'when-empty',
        tls: null,
        metricsToken: null,
        mail: null,
        sms: { provider: 'embedded' },
        map: { provider: 'embedded', key: null, tiles: [] },
        channels: { on: ['embedded'], publicUrl: null, wechat: null, alipay: null },
        invoicing: { provider: 'embedded' },
      },
    });
  });

  test('settings are read from the environment', () => {
    const result = readEnvironment({
      PORT: '0',
      HOST: '0.0.0.0',
      YKC_PORT: '0',
      DATA_DIR: '/var/lib/voltdeck',
      DATABASE_URL: 'postgres://volt:secret@db:5432/volt',
      ROLE: 'all',
      ADMIN_PASSWORD: 'correct horse',
      DEMO: '0',
      TLS_CERT: '/etc/cert.pem',
      TLS_KEY: '/etc/key.pem',
      TLS_CLIENT_CA: '/etc/ca.pem',
      METRICS_TOKEN: 'sixteen-or-more!',
      MAP_PROVIDER: 'tianditu',
      MAP_KEY: 'a1b2c3',
      MAP_TILES: 'https://t{s}.maps.example/{z}/{x}/{y}  http://maps.example/{z}/{x}/{y}?k={key}',
      SMS_PROVIDER: 'aliyun',
      INVOICE_PROVIDER: 'nuonuo',
      NUONUO_APP_KEY: 'SD47110815',
      NUONUO_APP_SECRET: 'SDA2DC3C4D2148BF',
      NUONUO_BASE_URL: 'https://sandbox.nuonuocs.cn/open/v1/services',
      SMTP_URL: 'smtps://billing%40voltdeck.example:p%40ss@smtp.voltdeck.example',
      SMTP_FROM: 'billing@voltdeck.example',
      SMS_ACCESS_KEY_ID: 'LTAI-4711',
      SMS_ACCESS_KEY_SECRET: 'very-secret',
      SMS_SIGN_NAME: '伏特充电',
      SMS_TEMPLATE_REGISTER: 'SMS_154950909',
      PAYMENT_PROVIDER: 'wechat, alipay',
      PUBLIC_URL: 'https://charge.example/',
      WECHAT_MCH_ID: '1900000109',
      WECHAT_APP_ID: 'wxd678efh567hg6787',
      WECHAT_API_V3_KEY: 'very-secret-key-of-32-characters',
      WECHAT_PRIVATE_KEY: '/etc/wechat.pem',
      WECHAT_CERT_SERIAL: '5157F09EFDC096DE15EBE81A47057A72',
      WECHAT_PUBLIC_KEY: '/etc/wechat-public.pem',
      WECHAT_PUBLIC_KEY_ID: 'PUB_KEY_ID_0114232134912410000000000000',
      WECHAT_TRANSFER_SCENE: '1000',
      WECHAT_TRANSFER_REPORT: 'a=b; c=d',
      ALIPAY_APP_ID: '2021000122671080',
      ALIPAY_PRIVATE_KEY: '/etc/alipay.pem',
      ALIPAY_APP_CERT: '/etc/app.crt',
      ALIPAY_PUBLIC_CERT: '/etc/alipay.crt',
      ALIPAY_ROOT_CERT: '/etc/root.crt',
      ALIPAY_SELLER_ID: '2088123412341234',
    });
    expect(result).toEqual({
      ok: true,
      value: {
        port: 0,
        host: '0.0.0.0',
        ykcPort: null,
        dataDir: '/var/lib/voltdeck',
        databaseUrl: 'postgres://volt:secret@db:5432/volt',
        role: 'all',
        adminPassword: 'correct horse',
        demo: 'never',
        tls: { cert: '/etc/cert.pem', key: '/etc/key.pem', clientCa: '/etc/ca.pem' },
        metricsToken: 'sixteen-or-more!',
        sms: {
          provider: 'aliyun',
          accessKeyId: 'LTAI-4711',
          accessKeySecret: 'very-secret',
          signName: '伏特充电',
          templateRegister: 'SMS_154950909',
          endpoint: null,
        },
        mail: {
          host: 'smtp.voltdeck.example',
          port: 465,
          secure: true,
          user: 'billing@voltdeck.example',
          password: 'p@ss',
          from: 'billing@voltdeck.example',
        },
        map: {
          provider: 'tianditu',
          key: 'a1b2c3',
          tiles: ['https://t{s}.maps.example/{z}/{x}/{y}', 'http://maps.example/{z}/{x}/{y}?k={key}'],
        },
        invoicing: {
          provider: 'nuonuo',
          appKey: 'SD47110815',
          appSecret: 'SDA2DC3C4D2148BF',
          baseUrl: 'https://sandbox.nuonuocs.cn/open/v1/services',
          tokenUrl: null,
        },
        channels: {
          on: ['wechat', 'alipay'],
          publicUrl: 'https://charge.example',
          wechat: {
            mchId: '1900000109',
            appId: 'wxd678efh567hg6787',
            apiV3Key: 'very-secret-key-of-32-characters',
            privateKeyFile: '/etc/wechat.pem',
            certSerial: '5157F09EFDC096DE15EBE81A47057A72',
            publicKey: { id: 'PUB_KEY_ID_0114232134912410000000000000', file: '/etc/wechat-public.pem' },
            transfer: {
              sceneId: '1000',
              reports: [
                { type: 'a', content: 'b' },
                { type: 'c', content: 'd' },
              ],
            },
            baseUrl: null,
          },
          alipay: {
            appId: '2021000122671080',
            privateKeyFile: '/etc/alipay.pem',
            verification: {
              mode: 'certificates',
              appCertFile: '/etc/app.crt',
              alipayCertFile: '/etc/alipay.crt',
              rootCertFile: '/etc/root.crt',
            },
            sellerId: '2088123412341234',
            baseUrl: null,
          },
        },
      },
    });
  });

  test('YKC_PORT=any takes any free port, as PORT=0 does, and YKC_PORT=0 none', () => {
    expect(readEnvironment({ YKC_PORT: 'any' })).toMatchObject({ ok: true, value: { ykcPort: 0 } });
    expect(readEnvironment({ YKC_PORT: '0' })).toMatchObject({ ok: true, value: { ykcPort: null } });
    expect(readEnvironment({ PORT: '0', YKC_PORT: 'any' })).toMatchObject({ ok: true, value: { port: 0, ykcPort: 0 } });
  });

  test('an empty value counts as unset', () => {
    expect(readEnvironment({ PORT: '', DATABASE_URL: ' ', NATS_URL: '', S3_OTHER: '' })).toEqual(readEnvironment({}));
  });

  test.each([
    [{ PORT: '70000' }, 'PORT is "70000"; it must be a whole number from 0 to 65535'],
    [{ PORT: '80.5' }, 'PORT is "80.5"; it must be a whole number from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT is "-1"; it must be a whole number from 0 to 65535'],
    [
      { YKC_PORT: 'no' },
      'YKC_PORT is "no"; it must be a whole number from 1 to 65535, "any" for any free port, or 0 for none',
    ],
    [{ PORT: '9000', YKC_PORT: '9000' }, 'YKC_PORT is "9000"; it must be another port than PORT'],
    [{ HOST: 'my host' }, 'HOST is "my host"; it must be an address or a host name such as 127.0.0.1, 0.0.0.0 or ::'],
    [{ ROLE: 'boss' }, 'ROLE is "boss"; it must be one of all, api, gateway, worker'],
    [
      { ROLE: 'api' },
      'ROLE is "api"; it must be "all": the other roles need a bus between nodes, which this version does not have',
    ],
    [{ DEMO: 'yes' }, 'DEMO is "yes"; it must be 0 or 1'],
    [
      { DATABASE_URL: 'mysql://u:hunter2@h/d' },
      'DATABASE_URL must be a URL like postgres://user:password@host:5432/database',
    ],
    [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD must be from 8 to 128 characters'],
    [{ TLS_CERT: '/c.pem' }, 'TLS_KEY is not set; it must be set when TLS_CERT is'],
    [{ TLS_KEY: '/k.pem' }, 'TLS_CERT is not set; it must be set when TLS_KEY is'],
    [{ TLS_CLIENT_CA: '/ca.pem' }, 'TLS_CERT is not set; it must be set when TLS_CLIENT_CA is'],
    [
      { NATS_URL: 'nats://user:hunter2@bus' },
      'NATS_URL must be left unset: this version runs as one process and has no bus between nodes',
    ],
    [{ S3_BUCKET: 'files' }, 'S3_BUCKET must be left unset: this version keeps files in DATA_DIR'],
    [{ S3_ENDPIONT: 'x' }, 'S3_ENDPIONT must be left unset: this version keeps files in DATA_DIR'],
    [{ MAP_PROVIDER: 'baidu' }, 'MAP_PROVIDER is "baidu"; it must be "embedded", "tianditu" or "amap"'],
    [{ MAP_KEY: 'a b' }, 'MAP_KEY must be a key of the map service'],
    [
      { MAP_TILES: 'https://maps.example/{z}/{x}.png' },
      'MAP_TILES must be up to four http(s) addresses with {x}, {y} and {z}, separated by spaces',
    ],
    [{ INVOICE_PROVIDER: 'paper' }, 'INVOICE_PROVIDER is "paper"; it must be "embedded" or "nuonuo"'],
    [
      { INVOICE_PROVIDER: 'nuonuo', NUONUO_APP_KEY: 'SD47110815' },
      'NUONUO_APP_SECRET is not set; it must be set when INVOICE_PROVIDER is "nuonuo"',
    ],
    [{ SMTP_FROM: 'billing@example.com' }, 'SMTP_URL is not set; it must be set when SMTP_FROM is'],
    [
      { SMTP_URL: 'https://user:secret@mail.example.com', SMTP_FROM: 'billing@example.com' },
      'SMTP_URL must be an address such as smtps://user:password@smtp.example.com or smtp://smtp.example.com:587',
    ],
    [{ SMS_PROVIDER: 'carrier-pigeon' }, 'SMS_PROVIDER is "carrier-pigeon"; it must be "embedded" or "aliyun"'],
    [
      { SMS_PROVIDER: 'aliyun', SMS_ACCESS_KEY_ID: 'LTAI-4711', SMS_SIGN_NAME: 'V', SMS_TEMPLATE_REGISTER: 'SMS_1' },
      'SMS_ACCESS_KEY_SECRET is not set; it must be set when SMS_PROVIDER is "aliyun"',
    ],
    [{ SMS_ACCESS_KEY_SECRET: 'short' }, 'SMS_ACCESS_KEY_SECRET must be an AccessKey secret'],
    [
      { SMS_TEMPLATE_REGISTER: '154950909' },
      'SMS_TEMPLATE_REGISTER is "154950909"; it must be the code of a template with the variable "code", such as SMS_154950909',
    ],
    [
      { PAYMENT_PROVIDER: 'paypal' },
      'PAYMENT_PROVIDER is "paypal"; it must be "none", or one or more of embedded, wechat and alipay, separated by commas',
    ],
    [
      { WECHAT_TRANSFER_REPORT: 'a=b' },
      'WECHAT_TRANSFER_SCENE is not set; it must be set when WECHAT_TRANSFER_REPORT is',
    ],
    [{ WECHAT_API_V3_KEY: 'short' }, 'WECHAT_API_V3_KEY must be the API v3 key of 32 characters'],
  ])('the setting %j is refused in one line', (environment, line) => {
    expect(linesOf(environment)).toEqual([line]);
  });

  test('a chosen payment channel needs its keys and the public address, and one that is not chosen is off', () => {
    expect(linesOf({ PAYMENT_PROVIDER: 'wechat' }).map((line) => line.split(' ')[0])).toEqual([
      'PUBLIC_URL',
      'WECHAT_MCH_ID',
      'WECHAT_APP_ID',
      'WECHAT_API_V3_KEY',
      'WECHAT_PRIVATE_KEY',
      'WECHAT_CERT_SERIAL',
    ]);
    expect(linesOf({ PAYMENT_PROVIDER: 'alipay' }).map((line) => line.split(' ')[0])).toEqual([
      'PUBLIC_URL',
      'ALIPAY_APP_ID',
      'ALIPAY_PRIVATE_KEY',
      'ALIPAY_PUBLIC_KEY',
    ]);
    expect(readEnvironment({ PAYMENT_PROVIDER: 'none' })).toMatchObject({ ok: true, value: { channels: { on: [] } } });
  });

  test('play money is refused beside a channel of real money, chosen or only with keys', () => {
    const alipay = {
      PUBLIC_URL: 'https://charge.example',
      ALIPAY_APP_ID: '2021000122671080',
      ALIPAY_PRIVATE_KEY: '/etc/alipay.pem',
      ALIPAY_PUBLIC_KEY: '/etc/alipay-public.pem',
    };
    const allowed = 'it must be "none", wechat or alipay where one of these has keys: embedded is play money';
    expect(linesOf({ ...alipay, PAYMENT_PROVIDER: 'embedded,alipay' })).toEqual([
      `PAYMENT_PROVIDER is "embedded,alipay"; ${allowed}`,
    ]);
    expect(linesOf({ ...alipay, PAYMENT_PROVIDER: 'embedded' })).toEqual([
      `PAYMENT_PROVIDER is "embedded"; ${allowed}`,
    ]);
    expect(linesOf(alipay)).toEqual([`PAYMENT_PROVIDER is not set; ${allowed}`]);
    expect(readEnvironment({ ...alipay, PAYMENT_PROVIDER: 'none' }).ok).toBe(true);
  });

  test('every faulty setting is named at once', () => {
    expect(linesOf({ PORT: 'x', DEMO: 'y', ROLE: 'z' })).toHaveLength(3);
  });

  test('a faulty setting never shows a secret', () => {
    const secret = 'hunter2';
    for (const name of settingNames.filter((each) => /URL|PASSWORD|SECRET|KEY_ID/.test(each))) {
      const lines = linesOf({ [name]: secret });
      expect(lines, name).toHaveLength(1);
      expect(lines[0]).not.toContain(secret);
    }
  });

  test('every setting is refused when its value makes no sense', () => {
    for (const name of settingNames.filter((each) => !/^(DATA_DIR|TLS_)/.test(each))) {
      expect(linesOf({ [name]: '\u0000' }), name).toHaveLength(1);
    }
  });
});
