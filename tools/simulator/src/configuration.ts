import { failed, ok, type Result } from '@voltdeck/units/result';

type Rule = { kind: 'integer'; min: number; max: number } | { kind: 'boolean' } | { kind: 'text'; max: number } | Csv;
type Csv = { kind: 'list'; of: readonly string[]; max: number };
type Access = 'read-write' | 'read-only' | 'write-only' | 'after-reboot';
type Key = { name: string; value: string; rule: Rule; access: Access };

/** What a MeterValues sample can contain; the station leaves out what its kind does not measure. */
export const measurands = [
  'Energy.Active.Import.Register',
  'Power.Active.Import',
  'Current.Import',
  'Voltage',
  'SoC',
  'Temperature',
] as const;
export type Measurand = (typeof measurands)[number];

const seconds: Rule = { kind: 'integer', min: 0, max: 86_400 };
const count: Rule = { kind: 'integer', min: 0, max: 1_000 };
const flag: Rule = { kind: 'boolean' };
const sampled: Rule = { kind: 'list', of: measurands, max: measurands.length };
const keysMax = 50;

/** The keys of OCPP 1.6 par. 9.1 with this firmware's defaults, the security extension's, and one of the vendor's own. */
function firmwareKeys(connectors: number, maxPowerW: number): Key[] {
  const key = (name: string, value: string | number | boolean, rule: Rule, access: Access = 'read-write'): Key => ({
    name,
    value: String(value),
    rule,
    access,
  });
  return [
    key('AllowOfflineTxForUnknownId', true, flag),
    key('AuthorizationCacheEnabled', true, flag),
    key('AuthorizeRemoteTxRequests', false, flag),
    key('BlinkRepeat', 3, count),
    key('ClockAlignedDataInterval', 0, seconds),
    key('ConnectionTimeOut', 60, seconds),
    key('ConnectorPhaseRotation', 'Unknown', { kind: 'text', max: 500 }),
    key('ConnectorPhaseRotationMaxLength', connectors + 1, count, 'read-only'),
    key('GetConfigurationMaxKeys', keysMax, count, 'read-only'),
    key('HeartbeatInterval', 60, seconds),
    key('LightIntensity', 80, { kind: 'integer', min: 0, max: 100 }),
    key('LocalAuthorizeOffline', true, flag),
    key('LocalPreAuthorize', false, flag),
    key('MaxEnergyOnInvalidId', 0, { kind: 'integer', min: 0, max: 100_000 }),
    key('MeterValuesAlignedData', 'Energy.Active.Import.Register', sampled),
    key('MeterValuesAlignedDataMaxLength', measurands.length, count, 'read-only'),
    key('MeterValuesSampledData', measurands.join(','), sampled),
    key('MeterValuesSampledDataMaxLength', measurands.length, count, 'read-only'),
    key('MeterValueSampleInterval', 60, seconds),
    key('MinimumStatusDuration', 0, seconds),
    key('NumberOfConnectors', connectors, count, 'read-only'),
    key('ResetRetries', 1, count),
    key('StopTransactionOnEVSideDisconnect', true, flag),
    key('StopTransactionOnInvalidId', true, flag),
    key('StopTxnAlignedData', '', sampled),
    key('StopTxnAlignedDataMaxLength', measurands.length, count, 'read-only'),
    key('StopTxnSampledData', '', sampled),
    key('StopTxnSampledDataMaxLength', measurands.length, count, 'read-only'),
    key('SupportedFeatureProfiles', 'Core,RemoteTrigger', { kind: 'text', max: 500 }, 'read-only'),
    key('SupportedFeatureProfilesMaxLength', 2, count, 'read-only'),
    key('TransactionMessageAttempts', 10, count),
    key('TransactionMessageRetryInterval', 10, seconds),
    key('UnlockConnectorOnEVSideDisconnect', true, flag),
    key('WebSocketPingInterval', 0, seconds),
    key('AuthorizationKey', '', { kind: 'text', max: 40 }, 'write-only'),
    key('SecurityProfile', 1, { kind: 'integer', min: 0, max: 3 }, 'read-only'),
    key('CabinetPowerLimitW', maxPowerW, { kind: 'integer', min: 100, max: 1_000_000 }, 'after-reboot'),
  ];
}

export type ConfigurationAnswer = 'Accepted' | 'Rejected' | 'RebootRequired' | 'NotSupported';

/** A station's configuration keys, which survive power cuts. Key names are case-insensitive (CiString50). */
export class Configuration {
  readonly #keys = new Map<string, Key>();

  /** @throws RangeError when an initial value is invalid for its key. */
  constructor(connectors: number, maxPowerW: number, initial: Readonly<Record<string, string>> = {}) {
    for (const key of firmwareKeys(connectors, maxPowerW)) this.#keys.set(key.name.toLowerCase(), key);
    for (const [name, value] of Object.entries(initial)) {
      const key = this.#keys.get(name.toLowerCase());
      if (key === undefined) throw new RangeError(`no configuration key ${name}`);
      const checked = checkValue(key, value);
      if (!checked.ok) throw new RangeError(`${name} cannot be "${value}": ${checked.error}`);
      key.value = checked.value;
    }
  }

  /** @throws RangeError for a key that the table does not have: a bug of the caller. */
  integer(name: string): number {
    return Number(this.#known(name).value);
  }

  flag(name: string): boolean {
    return this.#known(name).value === 'true';
  }

  text(name: string): string {
    return this.#known(name).value;
  }

  measurands(name: string): Measurand[] {
    const listed = this.#known(name).value.split(',');
    return measurands.filter((measurand) => listed.includes(measurand));
  }

  /** ChangeConfiguration, OCPP 1.6 par. 5.3. */
  change(name: string, value: string): ConfigurationAnswer {
    const key = this.#keys.get(name.toLowerCase());
    if (key === undefined) return 'NotSupported';
    if (key.access === 'read-only') return 'Rejected';
    const checked = checkValue(key, value);
    if (!checked.ok) return 'Rejected';
    key.value = checked.value;
    return key.access === 'after-reboot' ? 'RebootRequired' : 'Accepted';
  }

  /** Sets a value from the station itself, such as the heartbeat interval in a boot answer. */
  set(name: string, value: number): void {
    this.#known(name).value = String(value);
  }

  /** GetConfiguration, OCPP 1.6 par. 5.8: all keys, or those asked for. */
  read(names: readonly string[]): {
    configurationKey: { key: string; readonly: boolean; value?: string }[];
    unknownKey: string[];
  } {
    const found = names.length === 0 ? [...this.#keys.values()] : [];
    const unknownKey: string[] = [];
    for (const name of names.slice(0, keysMax)) {
      const key = this.#keys.get(name.toLowerCase());
      if (key === undefined) unknownKey.push(name);
      else found.push(key);
    }
    return {
      configurationKey: found.map((key) => ({
        key: key.name,
        readonly: key.access === 'read-only',
        ...(key.access === 'write-only' ? {} : { value: key.value }),
      })),
      unknownKey,
    };
  }

  #known(name: string): Key {
    const key = this.#keys.get(name.toLowerCase());
    if (key === undefined) throw new RangeError(`no configuration key ${name}`);
    return key;
  }
}

function checkValue(key: Key, value: string): Result<string, string> {
  switch (key.rule.kind) {
    case 'integer': {
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= key.rule.min && number <= key.rule.max)) {
        return failed(`a whole number from ${key.rule.min} to ${key.rule.max}`);
      }
      return ok(String(number));
    }
    case 'boolean':
      return /^(true|false)$/i.test(value) ? ok(value.toLowerCase()) : failed('true or false');
    case 'list': {
      const parts = value === '' ? [] : value.split(',').map((part) => part.trim());
      const { of, max } = key.rule;
      if (parts.length > max || parts.some((part) => !of.includes(part))) return failed(`at most ${max} of ${of}`);
      return ok(parts.join(','));
    }
    case 'text':
      if (value.length > key.rule.max) return failed(`at most ${key.rule.max} characters`);
      // Basic authentication requires 16 to 20 bytes, plain or as hexadecimal digits (security whitepaper,
      // AuthorizationKey).
      if (key.access === 'write-only' && value.length < 16) return failed('at least 16 characters');
      return ok(value);
  }
}
