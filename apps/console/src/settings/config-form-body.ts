import type { Config } from '@voltdeck/contract/settings';

/** What the fields of the form hold; the names are the contract's, so that the server's errors find their field. */
export type ConfigValues = {
  name: string;
  key: string;
  value?: string | undefined;
  remark?: string | undefined;
  public?: boolean | undefined;
  secret?: boolean | undefined;
};

/** What the form of a known parameter opens with. A secret's value is never told, so its field is empty. */
export function valuesOf(config: Config): ConfigValues {
  const { name, key, value, remark, secret } = config;
  return { name, key, value: secret ? '' : value, remark, secret, public: config.public };
}

/** What adding sends. */
export function bodyOf(values: ConfigValues) {
  const secret = values.secret ?? false;
  return {
    name: values.name.trim(),
    key: values.key.trim(),
    value: values.value ?? '',
    remark: values.remark?.trim() ?? '',
    secret,
    // Told to everybody and kept from everybody cannot both be.
    public: !secret && (values.public ?? false),
  };
}

/** What changing `config` sends: the empty value of a secret that stays one is left out, which keeps it. */
export function changeOf(config: Config, values: ConfigValues) {
  const { value, ...body } = bodyOf(values);
  const isKept = config.secret && body.secret && value === '';
  return { id: config.id, ...body, ...(isKept ? {} : { value }) };
}

/** Whether the value has to be entered: what was kept from the form cannot be shown by ticking a box off. */
export function needsValue(config: Config | null, secret: boolean): boolean {
  return config?.secret === true && config.hasValue && !secret;
}
