import type { openOwnSession, sendOwnCode } from '@voltdeck/contract/own';
import type { getCaptcha } from '@voltdeck/contract/registration';
import { bodyOf, call, session, type Told } from './client.ts';
import { button, element, field, notice } from './element.ts';
import { say } from './words.ts';

/** Signs in by a code sent to a phone. */
export function signInBox(onSignedIn: () => void): HTMLElement {
  const box = element('section');
  askForPhone(box, '', onSignedIn);
  return box;
}

function askForPhone(box: HTMLElement, known: string, onSignedIn: () => void): void {
  const told = notice();
  const phone = field(say('charge.phoneLabel'), {
    type: 'tel',
    inputmode: 'numeric',
    autocomplete: 'tel-national',
    maxlength: '11',
    required: '',
    value: known,
  });
  const captchaPlace = element('div');
  let captcha: { id: string; typed: HTMLInputElement } | null = null;

  const drawCaptcha = async () => {
    const drawn = await call<typeof getCaptcha>('/captcha', { method: 'GET' });
    if (!drawn.ok) return;
    const typed = field(say('charge.captchaLabel'), { autocomplete: 'off', maxlength: '8', autocapitalize: 'none' });
    const picture = element('img', { attributes: { src: drawn.data.image, alt: say('charge.captchaPicture') } });
    captchaPlace.replaceChildren(picture, typed.box);
    captcha = { id: drawn.data.id, typed: typed.input };
  };
  const form = element(
    'form',
    {},
    element('h2', { text: say('charge.signIn') }),
    phone.box,
    captchaPlace,
    told.box,
    element('button', { class: 'main', text: say('charge.sendCode') }),
  );
  whenSent(form, async () => {
    const body = bodyOf<typeof sendOwnCode>({
      phone: phone.input.value,
      ...(captcha === null ? {} : { captchaId: captcha.id, captcha: captcha.typed.value }),
    });
    const sent = await call<typeof sendOwnCode>('/my/codes', { method: 'POST', body });
    if (sent.ok) return askForCode(box, phone.input.value, onSignedIn);
    told.tell(textOf(sent));
    if (sent.error.startsWith('captcha.')) await drawCaptcha();
  });
  box.replaceChildren(form);
}

function askForCode(box: HTMLElement, phone: string, onSignedIn: () => void): void {
  const told = notice();
  told.tell(say('charge.codeSent', { phone }), 'quiet');
  const code = field(say('charge.codeLabel'), {
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    maxlength: '6',
    required: '',
  });
  const form = element(
    'form',
    {},
    element('h2', { text: say('charge.signIn') }),
    code.box,
    told.box,
    element('button', { class: 'main', text: say('charge.confirmCode') }),
    button(say('charge.otherPhone'), () => askForPhone(box, phone, onSignedIn), 'quiet'),
  );
  whenSent(form, async () => {
    const body = bodyOf<typeof openOwnSession>({ phone, code: code.input.value });
    const opened = await call<typeof openOwnSession>('/my/sessions', { method: 'POST', body });
    if (!opened.ok) return told.tell(textOf(opened));
    session.keep(opened.data.token);
    onSignedIn();
  });
  box.replaceChildren(form);
  code.input.focus();
}

/** Carries a form out, once at a time. */
export function whenSent(form: HTMLFormElement, act: () => Promise<unknown>): void {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const sending = [...form.querySelectorAll('button')];
    for (const one of sending) one.disabled = true;
    try {
      await act();
    } finally {
      for (const one of sending) one.disabled = false;
    }
  });
}

/** What to say of a refusal. */
export function textOf(refused: Extract<Told<unknown>, { ok: false }>): string {
  return refused.error === 'network' ? say('charge.offlineText') : refused.message;
}
