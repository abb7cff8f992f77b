import { defaultLanguage, type Language, languages } from '@voltdeck/contract/languages';
import { embeddedPayerActs } from '@voltdeck/contract/payment-channels';
import { formatYuan } from '@voltdeck/units/money';
import type { FastifyInstance } from 'fastify';
import { encode } from 'uqr';
import type { Context } from '../context.ts';
import { remoteAddressOf } from '../http/remote-address.ts';
import { say } from '../http/say.ts';
import type { PaymentPageLimit } from './payment-page-limit.ts';
import { findPaymentByToken } from './recharge-code-queries.ts';

type Payment = NonNullable<Awaited<ReturnType<typeof findPaymentByToken>>>;

/**
 * The page of a payment, for a phone: amount, code and state. It is written here and not with the console, because it
 * has to be there at once on any phone: some kilobytes, with one small script that asks how it stands.
 */
export function servePayPage(app: FastifyInstance, context: Context, pages: PaymentPageLimit): void {
  app.get('/pay/page.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  app.get<{ Params: { token: string } }>('/pay/:token', async (request, reply) => {
    const { token } = request.params;
    const language = languageOfBrowser(request.headers['accept-language']);
    reply.type('text/html; charset=utf-8').header('vary', 'accept-language').header('referrer-policy', 'no-referrer');
    const seconds = pages.secondsToWait(remoteAddressOf(request), context.now());
    if (seconds > 0) {
      const refusal = text(say(language, 'error.request.too_many', { seconds }));
      return reply.code(429).header('retry-after', String(seconds)).send(page(language, refusal));
    }
    const payment = /^[A-Za-z0-9_-]{32}$/.test(token)
      ? await findPaymentByToken(context.database.db, token)
      : undefined;
    if (payment === undefined) return reply.code(404).send(page(language, text(say(language, 'pay.unknown'))));
    return reply.send(page(language, content(language, payment, token)));
  });
}

/** The first language of the browser that this product speaks. */
function languageOfBrowser(header: string | undefined): Language {
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const name = part.split(';')[0]?.trim() ?? '';
    const known = languages.find((language) => name.startsWith(language.slice(0, 2).toLowerCase()));
    if (known !== undefined) return known;
  }
  return defaultLanguage;
}

function content(language: Language, payment: Payment, token: string): string {
  const said = (key: Parameters<typeof say>[1], params?: Parameters<typeof say>[2]) => text(say(language, key, params));
  const isOpen = payment.state === 'paying';
  const { codeUrl, channel } = payment;
  const isEmbedded = channel === 'embedded';
  const code =
    isOpen && codeUrl !== null && !isEmbedded
      ? `<figure>${qr(codeUrl, say(language, 'pay.code'))}<figcaption>${said(`pay.scan.${channel}`)}</figcaption></figure>${
          codeUrl.startsWith('https://')
            ? `<a class="button" href="${text(codeUrl)}">${said('pay.open.alipay')}</a>`
            : ''
        }`
      : '';
  const acts = embeddedPayerActs
    .map((act) => `<button type="button" data-act="${act}" disabled>${said(`pay.act.${act}`)}</button>`)
    .join('');
  const test = isOpen && isEmbedded ? `<section id="acts"><p>${said('pay.test')}</p>${acts}</section>` : '';
  const states = (['paying', 'paid', 'closed', 'failed'] as const)
    .map((state) => `data-${state}="${said(`pay.state.${state}`)}"`)
    .join(' ');
  return `<p class="channel">${said(`payment-channel.${channel}`)}</p>
<p class="amount">¥${formatYuan(payment.amountFen)}</p>
<p id="state" role="status" class="${stateOf(payment.state)}" data-token="${text(token)}" data-state="${stateOf(payment.state)}" ${states}>${said(`pay.state.${stateOf(payment.state)}`)}</p>
<div id="open">${code}${test}</div>
<p class="number">${said('pay.number')} <span>${text(payment.number)}</span></p>
<script src="/pay/page.js" type="module"></script>`;
}

/** The states as a payer sees them. */
function stateOf(state: Payment['state']): 'paying' | 'paid' | 'closed' | 'failed' {
  switch (state) {
    case 'created':
    case 'unknown':
    case 'paying':
      return 'paying';
    case 'paid':
    case 'closed':
    case 'failed':
      return state;
  }
}

/** A QR code as one path of squares, with the four quiet modules around it that scanners want. */
function qr(value: string, label: string): string {
  const { data, size } = encode(value, { ecc: 'M', border: 4 });
  let squares = '';
  for (const [y, row] of data.entries()) {
    for (const [x, isDark] of row.entries()) if (isDark) squares += `M${x} ${y}h1v1h-1z`;
  }
  return `<svg role="img" aria-label="${text(label)}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${squares}"/></svg>`;
}

function page(language: Language, body: string): string {
  const title = text(say(language, 'pay.title'));
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

function text(value: string): string {
  return value.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const style = `
:root{--ink:#1d2129;--quiet:#5a6270;--line:#d9dde3;--back:#f2f4f7;--panel:#fff;--good:#0a7a3d;--bad:#b3261e;--brand:#0b62d6}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--quiet:#a6adb8;--line:#3a404a;--back:#121417;--panel:#1d2025;--good:#5fd08f;--bad:#ff8a80;--brand:#7db2ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif}
main{max-width:420px;margin:0 auto;padding:24px 16px;text-align:center}
h1{font-size:16px;font-weight:600;margin:0 0 16px}
p{margin:0 0 8px}
.channel,.number,figcaption,#acts p{color:var(--quiet);font-size:14px}
.number span{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.amount{font-size:40px;font-weight:600;line-height:1.2;font-variant-numeric:tabular-nums}
#state{font-weight:600;margin-bottom:16px}
#state.paid{color:var(--good)}
#state.closed,#state.failed{color:var(--bad)}
figure{margin:0 auto 16px;padding:16px;max-width:300px;background:var(--panel);border-radius:8px}
svg{display:block;width:100%;height:auto;border-radius:4px;margin-bottom:8px}
#acts{display:grid;gap:8px;padding:16px;background:var(--panel);border-radius:8px;margin-bottom:16px}
button,.button{display:block;width:100%;min-height:44px;padding:9px 16px;font:inherit;color:var(--brand);background:none;border:1px solid var(--brand);border-radius:6px;text-decoration:none;cursor:pointer}
.button{margin-bottom:16px}
button:first-of-type{color:var(--panel);background:var(--brand)}
button:disabled{opacity:.5;cursor:default}
button:focus-visible,.button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
`;

/** How often an open page asks, and how long: a little longer than a code lives. */
const askAgainMs = 2_000;
const asksMax = 600;

const script = `
const state = document.getElementById('state');
const open = document.getElementById('open');
if (state) {
  const address = '/api/pay/' + state.dataset.token;
  let asks = 0;
  const show = (name) => {
    if (state.dataset.state === name) return;
    state.dataset.state = name;
    state.className = name;
    state.textContent = state.dataset[name];
    if (name !== 'paying') open.remove();
  };
  const ask = async () => {
    asks += 1;
    try {
      const answer = await (await fetch(address)).json();
      if (answer.data) show(['paid', 'closed', 'failed'].includes(answer.data.state) ? answer.data.state : 'paying');
    } catch {}
    if (state.dataset.state === 'paying' && asks < ${asksMax}) setTimeout(ask, ${askAgainMs});
  };
  if (state.dataset.state === 'paying') setTimeout(ask, ${askAgainMs});
  for (const button of document.querySelectorAll('[data-act]')) {
    button.addEventListener('click', async () => {
      for (const each of document.querySelectorAll('[data-act]')) each.disabled = true;
      const answer = await fetch(address + '/acts', {
        method: 'POST',
        headers: { 'content-type': 'application/json', language: document.documentElement.lang },
        body: JSON.stringify({ act: button.dataset.act }),
      }).then((response) => response.json(), () => null);
      if (answer?.message?.code !== 0 || button.dataset.act === 'hang') {
        for (const each of document.querySelectorAll('[data-act]')) each.disabled = false;
      }
    });
    button.disabled = false;
  }
}
`;
