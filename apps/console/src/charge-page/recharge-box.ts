import type { createOwnRecharge, getOwnRecharge, listOpenChannels, listOwnPromotions } from '@voltdeck/contract/own';
import { formatYuan } from '@voltdeck/units/money';
import { bodyOf, call, dropKey, keyOf } from './client.ts';
import { element, field, notice } from './element.ts';
import { textOf, whenSent } from './sign-in-box.ts';
import { say } from './words.ts';

const askEveryMs = 2_000;
/** A code lives for a quarter of an hour. */
const asksMax = 500;

/** Puts money on the balance by a code; closed at first unless it is needed. */
export function rechargeBox(isNeeded: boolean, onPaid: () => void): HTMLElement {
  const inner = element('div');
  const box = element(
    'details',
    isNeeded ? { attributes: { open: '' } } : {},
    element('summary', { text: say('charge.recharge') }),
    inner,
  );
  fill(inner, onPaid).catch(() => undefined);
  return box;
}

async function fill(inner: HTMLElement, onPaid: () => void): Promise<void> {
  const told = notice();
  const listed = await call<typeof listOpenChannels>('/my/payment-channels', { method: 'GET' });
  if (!listed.ok) return inner.replaceChildren(element('p', { text: textOf(listed) }));
  const { channels } = listed.data;
  if (channels.length === 0) return inner.replaceChildren(element('p', { text: say('charge.noChannels') }));
  const amount = field(say('charge.amount'), {
    type: 'number',
    inputmode: 'decimal',
    min: '0.01',
    max: '5000',
    step: '0.01',
    value: '20',
    required: '',
  });
  const channel = element(
    'select',
    {},
    ...channels.map((name) => element('option', { text: say(`charge.channel.${name}`), attributes: { value: name } })),
  );
  const form = element(
    'form',
    {},
    amount.box,
    ...(await promotionLines()),
    element('label', { class: 'field' }, element('span', { text: say('charge.payBy') }), channel),
    told.box,
    element('button', { class: 'main', text: say('charge.pay') }),
  );
  whenSent(form, async () => {
    const amountFen = Math.round(Number(amount.input.value) * 100);
    const act = `recharge ${amountFen} ${channel.value}`;
    const body = bodyOf<typeof createOwnRecharge>({
      amountFen: amountFen as never,
      channel: channel.value as (typeof channels)[number],
    });
    const begun = await call<typeof createOwnRecharge>('/my/recharges', { method: 'POST', body, key: keyOf(act) });
    if (!begun.ok) {
      if (begun.error !== 'network' && begun.error !== 'request.in_progress') dropKey(act);
      return told.tell(textOf(begun));
    }
    dropKey(act);
    const { pageUrl, id } = begun.data;
    const attributes = { href: new URL(pageUrl).pathname, target: '_blank', rel: 'noopener' };
    told.tell(say('charge.payWaits'), 'quiet');
    inner.replaceChildren(element('a', { class: 'main', text: say('charge.payPage'), attributes }), told.box);
    const state = await outcomeOf(id);
    if (state === 'paid') return onPaid();
    await fill(inner, onPaid);
    inner.prepend(element('p', { class: 'notice bad', text: say('charge.payFailed') }));
  });
  inner.replaceChildren(form);
}

/** What a recharge would be given. Without an answer money can be paid in all the same. */
async function promotionLines(): Promise<HTMLElement[]> {
  const listed = await call<typeof listOwnPromotions>('/my/promotions', { method: 'GET' });
  if (!listed.ok || listed.data.items.length === 0) return [];
  const lines = listed.data.items.map(({ name, satisfiedFen, giftFen }) =>
    element('li', {
      text: say('charge.promotion', { name, amount: formatYuan(satisfiedFen), gift: formatYuan(giftFen) }),
    }),
  );
  const attributes = { 'aria-label': say('charge.promotions') };
  return [element('ul', { class: 'promotions', attributes }, ...lines)];
}

async function outcomeOf(id: number): Promise<string> {
  for (let asked = 0; asked < asksMax; asked++) {
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
    const told = await call<typeof getOwnRecharge>(`/my/recharges/${id}`, { method: 'GET' });
    if (told.ok && ['paid', 'closed', 'failed'].includes(told.data.state)) return told.data.state;
  }
  return 'closed';
}
