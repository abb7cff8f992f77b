type Shown = { name: string; key: string; value: string; remark: string; public: boolean; secret: boolean };

/** Replaces every secret, so that not even its length shows. */
const mask = '******';

/** A parameter as the audit log stores it: without its secret. */
export function audited(config: Shown): Shown {
  return config.secret ? { ...config, value: config.value === '' ? '' : mask } : config;
}
