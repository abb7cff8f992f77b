import * as stationsContract from '@voltdeck/contract/card-stations';
import * as contract from '@voltdeck/contract/cards';
import { dayMs } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import { announceTask } from '../background/announce-task.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { tellBalanceLater } from '../orders/tell-balance.ts';
import { cancelCard } from './cancel-card.ts';
import { findCardStations, findStationCards, syncCardStations } from './card-stations.ts';
import { blockCard, changeCard } from './change-card.ts';
import { createCard } from './create-card.ts';
import { bindCardImports } from './imports/routes.ts';
import { findCard } from './queries.ts';
import { replaceCard } from './replace-card.ts';
import { newPhonesPerDayMax, setHolder } from './set-holder.ts';

export function bindCards(binder: Binder, context: Context<'console'>): void {
  const { bind } = binder;
  const { db } = context.database;
  const newPhones = new RateLimit({ max: newPhonesPerDayMax, windowMs: dayMs });
  bindCardImports(binder, context);
  bind(contract.getCard, async ({ caller, params }) => found(await findCard(db, caller, params.id)));
  bind(contract.createCard, ({ caller, body, at, transact }) => transact((trx) => createCard(trx, caller, body, at)));
  bind(contract.changeCard, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeCard(trx, caller, params.id, body, at)),
  );
  bind(contract.enableCard, ({ caller, params, body, at, transact }) =>
    transact((trx) => blockCard(trx, caller, params.id, body.enabled ? 'enable' : 'disable', at)),
  );
  bind(contract.reportCardLost, ({ caller, params, at, transact }) =>
    transact((trx) => blockCard(trx, caller, params.id, 'lose', at)),
  );
  bind(contract.restoreCard, ({ caller, params, at, transact }) =>
    transact((trx) => blockCard(trx, caller, params.id, 'restore', at)),
  );
  bind(contract.setCardHolder, ({ caller, params, body, at, transact }) =>
    transact((trx) => setHolder(trx, newPhones, caller, { id: params.id, form: body }, at)),
  );
  bind(contract.replaceCard, ({ caller, params, body, at, transact }) =>
    transact((trx) => replaceCard(trx, caller, { id: params.id, form: body }, at)),
  );
  bind(contract.cancelCard, async ({ caller, params, body, at, transact }) => {
    const cancelled = await transact(
      async (trx) => {
        const made = await cancelCard(trx, caller, { id: params.id, form: body }, at);
        if (made.ok && 'card' in made.value && made.value.customerId !== null) {
          await tellBalanceLater(trx, { cardId: null, customerId: made.value.customerId });
        }
        return made;
      },
      { answerOf: (value) => ('card' in value ? value.card : value) },
    );
    if (!cancelled.ok) return cancelled;
    return ok('card' in cancelled.value ? cancelled.value.card : cancelled.value);
  });
  bind(stationsContract.getCardStations, async ({ caller, params, at }) =>
    found(await findCardStations(db, caller, params.id, at)),
  );
  bind(stationsContract.getStationCards, async ({ caller, params, at }) =>
    found(await findStationCards(db, caller, params.id, at)),
  );
  bind(stationsContract.syncCardStations, ({ caller, params, at, transact }) =>
    announceTask(context, transact, (trx) => syncCardStations(trx, caller, params.id, at)),
  );
}
