import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Mail } from './mail-sender.ts';
import { createSmtpSender } from './smtp-sender.ts';
import { attachmentOf, smtpUser, startTestSmtp, type TestSmtp } from './test-smtp.ts';

const attached = { name: 'I1.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.7 of a test') };
const mail: Mail = {
  to: 'buyer@example.com',
  subject: '【湖畔充电】电子发票 26332000000000000001',
  text: '您好！附件是您的电子发票。\n.\n再见',
  attachment: attached,
  messageId: 'one@invoices.voltdeck',
};

let smtp: TestSmtp;
beforeEach(async () => {
  smtp = await startTestSmtp();
});
afterEach(() => smtp.close());

test('a mail arrives with its sender, its words, its name and its attachment byte for byte', async () => {
  expect(await createSmtpSender(smtp.settings)(mail)).toEqual({ outcome: 'sent' });
  const [received] = smtp.mails;
  expect(received).toMatchObject({ from: smtp.settings.from, to: mail.to, user: smtpUser.user });
  expect(received?.raw).toContain('Message-ID: <one@invoices.voltdeck>');
  expect(received?.raw).toContain('I1.pdf');
  expect(attachmentOf(received?.raw ?? '').equals(attached.bytes)).toBe(true);
});

test.each([
  ['later', { outcome: 'later', detail: expect.stringContaining('451') }],
  ['refuse', { outcome: 'refused', text: expect.stringContaining('550 no such mailbox') }],
  ['wrong password', { outcome: 'later', detail: expect.stringContaining('535') }],
  ['hang up before data', { outcome: 'later', detail: expect.any(String) }],
  ['hang up after data', { outcome: 'unknown', detail: expect.any(String) }],
] as const)('a server with the fault "%s" has not sent it, and says what can be done', async (fault, outcome) => {
  smtp.fault = fault;
  expect(await createSmtpSender(smtp.settings)(mail)).toEqual(outcome);
  expect(smtp.mails).toEqual([]);
});

test('a server that is down is tried again, and none without TLS beyond the loopback gets a word', async () => {
  const { settings } = smtp;
  await smtp.close();
  expect(await createSmtpSender(settings)(mail)).toMatchObject({ outcome: 'later' });
  smtp = await startTestSmtp();
  // The name leads to the loopback, but is not its name.
  const named = { ...smtp.settings, host: '0.0.0.0' };
  expect(await createSmtpSender(named)(mail)).toMatchObject({ outcome: 'later' });
  expect(smtp.mails).toEqual([]);
});

test.each([
  ['EHLO', 'later'],
  ['RCPT', 'later'],
  ['.', 'unknown'],
] as const)('a server that never ends its answer to %s is left: %s', async (command, outcome) => {
  const server = createServer((socket) => {
    const talk = setInterval(() => isTalking && socket.write('250-wait\r\n'), 20);
    let isTalking = false;
    socket.on('error', () => undefined).on('close', () => clearInterval(talk));
    socket.write('220 mail\r\n');
    socket.on('data', (bytes) => {
      for (const line of bytes.toString('latin1').split('\r\n').slice(0, -1)) {
        if (line.split(' ')[0] === command) isTalking = true;
        else if (line === 'DATA') socket.write('354 go on\r\n');
        else if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 fine\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = createSmtpSender({ ...smtp.settings, user: null, password: '', port }, 3_000);
  expect(await send(mail)).toEqual({ outcome, detail: expect.stringContaining('within 3 s') });
  await new Promise((closed) => server.close(closed));
});
