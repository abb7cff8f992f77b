import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import type { MailSettings } from './mail-sender.ts';

export type ReceivedMail = { from: string; to: string; user: string | null; raw: string };

/** A mail server on the loopback that speaks as much of RFC 5321 as a client needs, and keeps what it takes over. */
export type TestSmtp = {
  settings: MailSettings;
  mails: ReceivedMail[];
  /** What it does instead of taking a mail over. */
  fault: 'none' | 'later' | 'refuse' | 'wrong password' | 'hang up before data' | 'hang up after data';
  /** It answers the end of a message after this. */
  gate: Promise<void>;
  /** How many messages it has heard and not yet answered. */
  waiting: number;
  close(): Promise<void>;
};

export const smtpUser = { user: 'voltdeck', password: 'p@ss word' } as const;

export async function startTestSmtp(): Promise<TestSmtp> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    converse(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const smtp: TestSmtp = {
    settings: { host: '127.0.0.1', port, secure: false, ...smtpUser, from: 'billing@voltdeck.example' },
    mails: [],
    fault: 'none',
    gate: Promise.resolve(),
    waiting: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return smtp;

  function converse(socket: Socket): void {
    const say = (line: string) => socket.write(`${line}\r\n`);
    let rest = '';
    let mail: ReceivedMail = { from: '', to: '', user: null, raw: '' };
    let isData = false;
    say('220 loopback ESMTP');
    socket.on('data', (bytes) => {
      rest += bytes.toString('latin1');
      for (;;) {
        const end = rest.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end === -1) return;
        const line = rest.slice(0, end);
        rest = rest.slice(end + (isData ? 5 : 2));
        if (isData) takeMessage(line);
        else takeCommand(line);
      }
    });

    function takeMessage(raw: string): void {
      isData = false;
      if (smtp.fault === 'hang up after data') return void socket.destroy();
      smtp.waiting += 1;
      void smtp.gate.then(() => {
        smtp.waiting -= 1;
        smtp.mails.push({ ...mail, raw });
        say('250 queued');
      });
    }

    function takeCommand(line: string): void {
      const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
      switch (line.split(' ')[0]?.toUpperCase()) {
        case 'EHLO':
          say('250-loopback');
          return void say('250 AUTH PLAIN');
        case 'AUTH': {
          const [, user = '', password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
            .toString()
            .split('\0');
          const isRight = user === smtpUser.user && password === smtpUser.password && smtp.fault !== 'wrong password';
          if (isRight) mail = { ...mail, user };
          return void say(isRight ? '235 ok' : '535 wrong password');
        }
        case 'MAIL':
          mail = { ...mail, from: address };
          return void say('250 ok');
        case 'RCPT':
          mail = { ...mail, to: address };
          if (smtp.fault === 'later') return void say('451 greylisted, try again');
          return void say(smtp.fault === 'refuse' ? '550 no such mailbox' : '250 ok');
        case 'DATA':
          if (smtp.fault === 'hang up before data') return void socket.destroy();
          isData = true;
          return void say('354 go on');
        case 'QUIT':
          say('221 bye');
          return void socket.end();
        default:
          say('250 ok');
      }
    }
  }
}

/** The bytes of a mail's only attachment. */
export function attachmentOf(raw: string): Buffer {
  const part = raw.slice(raw.indexOf('Content-Type: application/pdf'));
  const [body = ''] = part.slice(part.indexOf('\r\n\r\n')).trimStart().split('\r\n--');
  return Buffer.from(body.replaceAll(/\s/g, ''), 'base64');
}
