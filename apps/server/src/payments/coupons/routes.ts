import * as contract from '@voltdeck/contract/coupons';
import type { Binder } from '../../http/bind.ts';
import { createCoupon, giveCoupon, stopCoupon } from './edit-coupon.ts';

export function bindCoupons({ bind }: Binder): void {
  bind(contract.createCoupon, ({ caller, body, at, transact }) =>
    transact((trx) => createCoupon(trx, caller, body, at)),
  );
  bind(contract.giveCoupon, ({ caller, params, body, at, transact }) =>
    transact((trx) => giveCoupon(trx, caller, params.id, body, at)),
  );
  bind(contract.stopCoupon, ({ caller, params, at, transact }) =>
    transact((trx) => stopCoupon(trx, caller, params.id, at)),
  );
}
