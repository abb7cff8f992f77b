import type { ChargePayerName } from '@voltdeck/contract/orders';
import type {
  endOwnSession,
  getOwnBalance,
  getOwnChargePayer,
  getOwnProfile,
  getScannedPort,
  listOwnOrders,
  OwnOrder,
  placeOwnOrder,
} from '@voltdeck/contract/own';
import { languageNames } from '../language.ts';
import './charge-page.css';
import { bodyOf, call, dropKey, keyOf, session } from './client.ts';
import { button, element, show } from './element.ts';
import { watchOrder } from './order-view.ts';
import { type Choice, showPort } from './port-view.ts';
import { textOf } from './sign-in-box.ts';
import { language, loadWords, say, switchLanguage } from './words.ts';

const qr = decodeURIComponent(location.pathname.replace(/^\/charge\//, '').replace(/\/$/, ''));

/**
 * Shows what holds now: a charge of this customer at this port or one that runs elsewhere, otherwise the port. One that
 * still waits for its bill elsewhere must not keep anybody from charging here.
 */
async function look(): Promise<void> {
  if (session.token !== null) {
    const running = await call<typeof listOwnOrders>('/my/orders?group=running', { method: 'GET' });
    if (!running.ok && running.error === 'network') return failed();
    const order = running.ok
      ? (running.data.items.find(isHere) ?? running.data.items.find(({ state }) => state !== 'settling'))
      : undefined;
    if (order !== undefined) return watchOrder(order.id, again);
  }
  const found = await call<typeof getScannedPort>(`/my/connectors/${encodeURIComponent(qr)}`, { method: 'GET' });
  if (!found.ok) return found.error === 'network' ? failed() : unknown(found);
  const [profile, balance, payer] =
    session.token === null
      ? [null, null, null]
      : await Promise.all([
          call<typeof getOwnProfile>('/my/profile', { method: 'GET' }),
          call<typeof getOwnBalance>('/my/balance', { method: 'GET' }),
          call<typeof getOwnChargePayer>(`/my/connectors/${encodeURIComponent(qr)}/payer`, { method: 'GET' }),
        ]);
  const rider = {
    phone: profile?.ok ? profile.data.phone : null,
    balance: balance?.ok ? balance.data : null,
    group: payer?.ok ? payer.data.group : null,
  };
  showPort(found.data, rider, {
    again,
    start,
    async signOut() {
      await call<typeof endOwnSession>('/my/sessions/current', { method: 'DELETE' });
      session.forget();
      again();
    },
  });
}

/** A code holds the port's number, alone or at the end of an address. */
function isHere({ stationNumber, connectorNumber }: Pick<OwnOrder, 'stationNumber' | 'connectorNumber'>): boolean {
  const number = `${stationNumber}-${connectorNumber}`;
  return qr === number || (qr.endsWith(number) && !/[\p{L}\d-]/u.test(qr.at(-number.length - 1) ?? ''));
}

const again = (): void => {
  void look();
};

/** Starts a charge. @returns what to say where it did not. */
async function start(choice: Choice | null, payer: ChargePayerName | null): Promise<string | null> {
  const act = `start ${qr} ${JSON.stringify(choice)} ${payer ?? ''}`;
  const body = bodyOf<typeof placeOwnOrder>({
    qr,
    ...(choice === null ? {} : { choice }),
    ...(payer === null ? {} : { payer }),
  });
  const placed = await call<typeof placeOwnOrder>('/my/orders', { method: 'POST', body, key: keyOf(act) });
  if (placed.ok) {
    dropKey(act);
    void watchOrder(placed.data.id, again);
    return null;
  }
  // Without an answer the charge may have begun: the same key finds it out.
  if (placed.error !== 'network' && placed.error !== 'request.in_progress') dropKey(act);
  if (session.token === null) again();
  return textOf(placed);
}

function failed(): void {
  show(
    say('charge.offlineTitle'),
    element('p', { text: say('charge.offlineText') }),
    button(say('charge.retry'), again),
  );
}

function unknown(refused: Parameters<typeof textOf>[0]): void {
  if (refused.error === 'record.not_found' || refused.error === 'request.invalid') {
    show(say('charge.unknownTitle'), element('p', { text: say('charge.unknownText', { qr }) }));
  } else {
    show(say('charge.title'), element('p', { text: textOf(refused) }), button(say('charge.retry'), again));
  }
}

async function begin(): Promise<void> {
  document.documentElement.lang = language;
  await loadWords();
  document.title = say('charge.title');
  const other = language === 'en' ? 'zh-CN' : 'en';
  const choose = button(languageNames[other], switchLanguage, 'quiet');
  choose.lang = other;
  document.querySelector('header')?.replaceChildren(choose);
  show(say('charge.loading'));
  await look();
}

void begin();
