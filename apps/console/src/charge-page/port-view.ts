import type { ChargePayer, ChargePayerName } from '@voltdeck/contract/orders';
import type { OwnBalance, ScannedPort } from '@voltdeck/contract/own';
import { formatYuan } from '@voltdeck/units/money';
import { button, element, notice, show } from './element.ts';
import { priceText } from './figures.ts';
import { rechargeBox } from './recharge-box.ts';
import { signInBox } from './sign-in-box.ts';
import { say, type Word } from './words.ts';

type Prepayment = NonNullable<ScannedPort['prepayment']>;
export type Choice = Prepayment['choices'][number] & { kind: Prepayment['kind'] };

type Acts = {
  /** Looks at everything again. */
  again(): void;
  start(choice: Choice | null, payer: ChargePayerName | null): Promise<string | null>;
  signOut(): void;
};

/** The one who looks at the port: `balance` is null for somebody unknown, `group` for whoever is in none. */
export type Rider = { phone: string | null; balance: OwnBalance | null; group: ChargePayer['group'] };

/** The port: where it is, what a charge costs, and the way to one. */
export function showPort(port: ScannedPort, { phone, balance, group }: Rider, acts: Acts): void {
  const { site, station, bayNumber } = port;
  const place = element(
    'section',
    {},
    element('h2', { text: site.name }),
    element('p', { class: 'quiet', text: site.address }),
    element('p', { text: say('charge.port', { station: station.name, port: port.number }) }),
    bayNumber === null ? null : element('p', { text: say('charge.bay', { bay: bayNumber }) }),
    hoursOf(site),
    hotline(site.servicePhone),
  );
  if (port.cannotStart !== null) {
    show(
      say('charge.cannotTitle'),
      element('p', { class: 'notice bad', text: say(`charge.cannot.${port.cannotStart}` as Word) }),
      button(say('charge.again'), acts.again),
      place,
      priceOf(port),
    );
    return;
  }
  const choices = choicesOf(port);
  const parts = [place, priceOf(port), choices.box];
  if (balance === null) {
    show(say('charge.title'), ...parts, signInBox(acts.again));
    return;
  }
  const told = notice();
  const begin = button(say('charge.start'), async () => {
    begin.disabled = true;
    told.tell(say('charge.starting'), 'quiet');
    const refusal = await acts.start(choices.chosen(), payers.chosen());
    if (refusal === null) return;
    told.tell(refusal);
    begin.disabled = false;
  });
  const isTooLittle = balance.balanceFen < port.neededFen;
  const tooLittle = element('p', {
    class: 'notice bad',
    text: say('charge.tooLittle', { amount: formatYuan(port.neededFen) }),
  });
  const payers = payersOf(group, (payer) => {
    const isShort = isTooLittle && payer !== 'group';
    tooLittle.hidden = !isShort;
    begin.hidden = isShort;
  });
  const who = element(
    'p',
    { class: 'row quiet' },
    say('charge.signedIn', { phone: phone ?? '' }),
    button(say('charge.signOut'), acts.signOut, 'quiet'),
  );
  const money = element(
    'section',
    {},
    element('p', { class: 'amount', text: say('charge.balance', { amount: formatYuan(balance.balanceFen) }) }),
    balance.owedFen > 0
      ? element('p', { class: 'notice bad', text: say('charge.owed', { amount: formatYuan(balance.owedFen) }) })
      : null,
    tooLittle,
    rechargeBox((isTooLittle && payers.chosen() !== 'group') || balance.owedFen > 0, acts.again),
  );
  show(
    say('charge.title'),
    ...parts,
    payers.box,
    money,
    element('p', { class: 'quiet', text: say('charge.plugIn') }),
    told.box,
    begin,
    who,
  );
}

function hoursOf({ openAllDay, openingHours }: ScannedPort['site']): HTMLElement | null {
  if (openAllDay) return element('p', { class: 'quiet', text: say('charge.allDay') });
  return openingHours === ''
    ? null
    : element('p', { class: 'quiet', text: say('charge.hours', { hours: openingHours }) });
}

export function hotline(phone: string): HTMLElement | null {
  if (phone === '') return null;
  const attributes = { href: `tel:${phone.replaceAll(/[^\d+]/g, '')}` };
  return element('a', { class: 'link', text: say('charge.phone', { phone }), attributes });
}

function priceOf({ price, free, note }: ScannedPort): HTMLElement {
  const head = element('h2', { text: say('charge.priceNow') });
  const remark = note === '' ? null : element('p', { class: 'quiet', text: note });
  if (free || price === null) {
    return element('section', {}, head, element('p', { text: say(free ? 'charge.free' : 'charge.noPrice') }), remark);
  }
  const rows =
    price.kind === 'energy'
      ? price.slots.map(({ start, end, period, electricityPriceE5, servicePriceE5 }) => [
          `${start}–${end} ${say(`period.${period}`)}`,
          say('charge.perKwh', { price: priceText(electricityPriceE5 + servicePriceE5) }),
        ])
      : price.tiers.map(({ fromW, toW, feeFenPerStep }) => [
          toW === null ? say('charge.tierOpen', { from: fromW }) : say('charge.tier', { from: fromW, to: toW }),
          say('charge.perStep', { fee: formatYuan(feeFenPerStep), minutes: price.stepMinutes }),
        ]);
  const head2 = [say('charge.slot'), say('charge.price')];
  const table = element(
    'table',
    {},
    element(
      'thead',
      {},
      element('tr', {}, ...head2.map((text) => element('th', { text, attributes: { scope: 'col' } }))),
    ),
    element('tbody', {}, ...rows.map((cells) => element('tr', {}, ...cells.map((text) => element('td', { text }))))),
  );
  if (price.kind === 'hour') return element('section', {}, head, table, remark);
  const { period, electricityPriceE5, servicePriceE5 } = price.now;
  const now = say('charge.perKwh', { price: priceText(electricityPriceE5 + servicePriceE5) });
  const split = { electricity: priceText(electricityPriceE5), service: priceText(servicePriceE5) };
  return element(
    'section',
    {},
    head,
    element('p', { class: 'amount', text: `${now} · ${say(`period.${period}`)}` }),
    element('p', { class: 'quiet', text: say('charge.split', split) }),
    element('details', {}, element('summary', { text: say('charge.allPrices') }), table),
    remark,
  );
}

/** The choices of a rule that is paid before the charge; the first is chosen until another one is. */
function choicesOf({ prepayment }: ScannedPort): { box: HTMLElement | null; chosen(): Choice | null } {
  if (prepayment === null) return { box: null, chosen: () => null };
  const inputs = prepayment.choices.map((_, index) =>
    element('input', {
      attributes: { type: 'radio', name: 'choice', value: String(index), ...(index === 0 ? { checked: '' } : {}) },
    }),
  );
  const box = element(
    'fieldset',
    {},
    element('legend', { text: say('charge.choose') }),
    ...prepayment.choices.map((choice, index) =>
      element('label', { class: 'choice' }, inputs[index] ?? null, textOf(choice)),
    ),
    element('p', { class: 'quiet', text: say(prepayment.kind === 'fixed' ? 'charge.fixed' : 'charge.prepaid') }),
  );
  return {
    box,
    chosen() {
      const choice = prepayment.choices[inputs.findIndex(({ checked }) => checked)];
      return choice === undefined ? null : { ...choice, kind: prepayment.kind };
    },
  };
}

/** Who pays: the group where it can, until the rider chooses otherwise. @param onChoice called at once and after that. */
function payersOf(
  group: ChargePayer['group'],
  onChoice: (payer: ChargePayerName | null) => void,
): { box: HTMLElement | null; chosen(): ChargePayerName | null } {
  if (group === null || group.because !== null) {
    onChoice(null);
    const box =
      group === null
        ? null
        : element('p', {
            class: 'notice quiet',
            text: say('charge.groupCannotPay', { because: group.because ?? '' }),
          });
    return { box, chosen: () => null };
  }
  const inputs = { group: payerInput('group'), self: payerInput('self') };
  const chosen = () => (inputs.self.checked ? 'self' : 'group');
  for (const input of Object.values(inputs)) input.addEventListener('change', () => onChoice(chosen()));
  inputs.group.checked = true;
  onChoice('group');
  const left = group.leftFen === null ? null : say('charge.groupLeft', { amount: formatYuan(group.leftFen) });
  const box = element(
    'fieldset',
    {},
    element('legend', { text: say('charge.whoPays') }),
    element('label', { class: 'choice' }, inputs.group, group.name),
    element('label', { class: 'choice' }, inputs.self, say('charge.selfPays')),
    left === null ? null : element('p', { class: 'quiet', text: left }),
  );
  return { box, chosen };
}

const payerInput = (value: ChargePayerName) =>
  element('input', { attributes: { type: 'radio', name: 'payer', value } });

function textOf({ amountFen, hours, energyWh }: Prepayment['choices'][number]): string {
  const amount = formatYuan(amountFen);
  if (hours !== null) return say('charge.choiceHours', { amount, hours });
  if (energyWh !== null) return say('charge.choiceEnergy', { amount, energy: energyWh / 1000 });
  return say('charge.choiceFull', { amount });
}
