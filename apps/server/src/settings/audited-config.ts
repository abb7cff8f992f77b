type Shown = { name: string; key: string; value: string; remark: string; public: boolean; secret: boolean };

/** Stands for every secret, so that not even its length is shown. */
const mask = '******';

/** A parameter as the audit log may keep it for years: without its secret. */
export function audited(config: Shown): Shown {
  return config.secret ? { ...config, value: config.value === '' ? '' : mask } : config;
}
