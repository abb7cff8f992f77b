import type { getOwnBalance, getOwnOrder, OwnOrderDetail, stopOwnOrder } from '@voltdeck/contract/own';
import { addFen, formatYuan, subtractFen } from '@voltdeck/units/money';
import { call, dropKey, hear, keyOf, session } from './client.ts';
import { button, element, facts, notice, show } from './element.ts';
import { kw, kwh, lasted, priceText } from './figures.ts';
import { textOf } from './sign-in-box.ts';
import { say } from './words.ts';

/** How often the charge is asked for without a stream, and beside one. */
const askEveryMs = { alone: 3_000, besideStream: 15_000 } as const;

/**
 * Watches a charge until it is over: by the stream where there is one, by asking where there is none. It does not end
 * by a lost network, and `onOver` is called when the customer has read the bill.
 */
export async function watchOrder(id: number, onOver: () => void): Promise<void> {
  const ending = new AbortController();
  let isStreaming = false;
  let wake: () => void = () => undefined;
  const listen = async () => {
    while (!ending.signal.aborted) {
      isStreaming = true;
      await hear(ending.signal, () => wake());
      isStreaming = false;
      await new Promise((resolve) => setTimeout(resolve, askEveryMs.alone));
    }
  };
  void listen();
  const told = notice();
  let live = null as { state: string; update(order: OwnOrderDetail): void } | null;
  for (;;) {
    const read = await call<typeof getOwnOrder>(`/my/orders/${id}`, { method: 'GET' });
    if (read.ok) {
      const order = read.data;
      if (order.state === 'completed' || order.state === 'cancelled') {
        ending.abort();
        return showBill(order, onOver);
      }
      if (live?.state !== order.state) live = { state: order.state, update: showLive(order, told) };
      if (told.box.dataset.lost !== undefined) told.tell('', 'quiet');
      delete told.box.dataset.lost;
      live.update(order);
    } else if (session.token === null || read.error === 'record.not_found') {
      ending.abort();
      return onOver();
    } else if (live === null) {
      show(say('charge.offlineTitle'), element('p', { text: textOf(read) }));
    } else {
      told.box.dataset.lost = '';
      told.tell(say('charge.lost'));
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, isStreaming && read.ok ? askEveryMs.besideStream : askEveryMs.alone);
    });
  }
}

/** Shows a charge under way and returns what brings its figures up to date. */
function showLive(order: OwnOrderDetail, told: ReturnType<typeof notice>): (order: OwnOrderDetail) => void {
  const where = element('p', {
    class: 'quiet',
    text: `${order.siteName} · ${say('charge.port', { station: order.stationName, port: order.connectorNumber })}`,
  });
  told.tell('', 'quiet');
  if (order.state === 'placed') {
    show(say('charge.placedTitle'), where, element('p', { text: say('charge.placedText') }), told.box);
    return () => undefined;
  }
  if (order.state === 'settling') {
    show(say('charge.settlingTitle'), where, element('p', { text: say('charge.settlingText') }), told.box);
    return () => undefined;
  }
  const figures = element('div', { class: 'figures' });
  const stop = button(say('charge.stop'), async () => {
    if (!(await confirmed(say('charge.stopQuestion')))) return;
    stop.disabled = true;
    told.tell(say('charge.stopAsked'), 'quiet');
    const act = `stop ${order.id}`;
    const asked = await call<typeof stopOwnOrder>(`/my/orders/${order.id}/stops`, { method: 'POST', key: keyOf(act) });
    if (asked.ok || asked.error !== 'network') dropKey(act);
    if (asked.ok && asked.data.agreed) return;
    told.tell(asked.ok ? say('charge.stopRefused') : textOf(asked));
    stop.disabled = false;
  });
  show(say('charge.chargingTitle'), where, figures, told.box, stop);
  return ({ powerW, energyWh, amountFen, socPercent, startedAt, placedAt, now }) => {
    const lastedMs = Date.parse(now) - Date.parse(startedAt ?? placedAt);
    figures.replaceChildren(
      element('p', { class: 'amount', text: `¥${formatYuan(amountFen)}` }),
      facts([
        [say('charge.energy'), kwh(energyWh)],
        [say('charge.power'), powerW === null ? '–' : kw(powerW)],
        socPercent === null ? null : [say('charge.soc'), say('charge.percent', { value: socPercent })],
        [say('charge.duration'), lasted(lastedMs)],
      ]),
    );
  };
}

async function showBill(order: OwnOrderDetail, onOver: () => void): Promise<void> {
  const done = button(say('charge.done'), onOver);
  if (order.state === 'cancelled') {
    return show(say('charge.cancelledTitle'), element('p', { text: say('charge.cancelledText') }), done);
  }
  const { amountFen, discountFen, paidFen, owedFen, refundedFen, lines, stopReason, startedAt, endedAt } = order;
  const balance = await call<typeof getOwnBalance>('/my/balance', { method: 'GET' });
  const lastedMs = startedAt === null || endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt);
  show(
    say('charge.billTitle'),
    element('p', { class: 'amount', text: `¥${formatYuan(subtractFen(amountFen, discountFen))}` }),
    facts([
      [say('charge.energy'), kwh(order.energyWh)],
      [say('charge.duration'), lasted(lastedMs)],
      [say('charge.electricityFee'), `¥${formatYuan(order.electricityFeeFen)}`],
      [say('charge.serviceFee'), `¥${formatYuan(order.serviceFeeFen)}`],
      [say('charge.total'), `¥${formatYuan(amountFen)}`],
      discountFen === 0 ? null : [say('charge.discount'), `−¥${formatYuan(discountFen)}`],
      [say('charge.reallyPaid'), `¥${formatYuan(paidFen)}`],
      refundedFen === 0 ? null : [say('charge.refunded'), `¥${formatYuan(refundedFen)}`],
      owedFen === 0 ? null : [say('charge.stillOwed'), `¥${formatYuan(owedFen)}`],
      order.groupName === null ? null : [say('charge.paidBy'), order.groupName],
      balance.ok && order.groupName === null
        ? [say('charge.balanceAfter'), `¥${formatYuan(balance.data.balanceFen)}`]
        : null,
      stopReason === null ? null : [say('charge.stopReason'), say(`stop-reason.${stopReason}`)],
      [say('charge.number'), order.number],
    ]),
    lines.length === 0 ? null : billLines(lines),
    done,
  );
}

const shanghaiTime = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Shanghai',
  hour: '2-digit',
  minute: '2-digit',
});
const timeOf = (iso: string) => shanghaiTime.format(new Date(iso));

function billLines(lines: OwnOrderDetail['lines']): HTMLElement {
  const rows = lines.map((line) => [
    `${timeOf(line.from)}–${timeOf(line.to)}`,
    line.kind === 'energy'
      ? `${say(`period.${line.period}`)} ${say('charge.perKwh', { price: priceText(line.electricityPriceE5 + line.servicePriceE5) })}`
      : say('charge.perStep', { fee: formatYuan(line.feeFenPerStep), minutes: line.stepMinutes }),
    kwh(line.energyWh),
    `¥${formatYuan(addFen(line.electricityFeeFen, line.serviceFeeFen))}`,
  ]);
  return element(
    'details',
    {},
    element('summary', { text: say('charge.lines') }),
    element(
      'table',
      {},
      element('tbody', {}, ...rows.map((cells) => element('tr', {}, ...cells.map((text) => element('td', { text }))))),
    ),
  );
}

/** Asks first. */
function confirmed(question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const close = (answer: boolean) => () => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    const dialog = element(
      'dialog',
      { attributes: { 'aria-label': question } },
      element('p', { text: question }),
      button(say('charge.stopYes'), close(true)),
      button(say('charge.stopNo'), close(false), 'quiet'),
    );
    dialog.addEventListener('cancel', close(false));
    document.body.append(dialog);
    dialog.showModal();
  });
}
