import type { UserId } from '@voltdeck/units/id';
import type { Caller } from './caller.ts';

/** The platform's administrator, who may do and see everything. */
export function platformCaller(over: Partial<Caller> = {}): Caller {
  return {
    userId: 1 as UserId,
    userName: 'admin',
    admin: true,
    permissions: new Set(),
    menuCodes: new Set(),
    dataScope: 'platform',
    agents: 'all',
    customerId: null,
    dividerId: null,
    language: 'en',
    remoteAddress: '',
    ...over,
  };
}
