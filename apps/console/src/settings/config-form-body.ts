import type { Config } from '@voltdeck/contract/settings';

type Body = { value?: string | undefined; secret?: boolean | undefined; public?: boolean | undefined };

/** The body to send: the empty value of an unchanged secret is left out, which keeps it. */
export function sentConfig<Sent extends Body>(config: Config | null, body: Sent): Sent {
  const { value, ...rest } = body;
  // A secret cannot be public.
  const told = body.secret === true ? { public: false } : {};
  const isKept = config?.secret === true && body.secret === true && !value;
  return { ...rest, ...told, ...(isKept ? {} : { value }) } as Sent;
}

/**
 * Whether the value has to be entered: the form does not know a secret's value, so it cannot become open without a new
 * one.
 */
export function needsValue(config: Config | null, secret: boolean): boolean {
  return config?.secret === true && config.hasValue && !secret;
}
