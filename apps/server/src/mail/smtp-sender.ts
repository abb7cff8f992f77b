import { Readable } from 'node:stream';
import { minuteMs, secondMs } from '@voltdeck/units/instant';
import MailComposer from 'nodemailer/lib/mail-composer';
import SmtpConnection from 'nodemailer/lib/smtp-connection';
import type { Mail, Mailed, MailSender, MailSettings } from './mail-sender.ts';

const connectMs = 15 * secondMs;
const answerMs = 60 * secondMs;
/** Of a whole hand-over: a server that keeps a line busy with lines of its answer holds no one for longer. */
const handOverMs = 3 * minuteMs;
const detailMax = 300;

/**
 * Hands mails to the mail server of SMTP_URL (RFC 5321). Until the message begins nothing can have been taken over, so
 * every failure before is worth another try; afterwards only the server's own words say what became of it.
 * @param limitMs of a whole hand-over, in milliseconds
 */
export function createSmtpSender(settings: MailSettings, limitMs = handOverMs): MailSender {
  const { host, port, secure, user, password, from } = settings;
  return async (mail) => {
    const connection = new SmtpConnection({
      host,
      port,
      secure,
      requireTLS: !secure && !isLoopback(host),
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: answerMs,
    });
    // An error between two steps or after the last has nobody to tell.
    connection.on('error', () => undefined);
    const timer = setTimeout(() => {
      connection.emit('error', new Error(`the mail server did not come to its end within ${limitMs / secondMs} s`));
      connection.close();
    }, limitMs);
    try {
      const raw = await composed(mail, from);
      const begun = await step(connection, (done) => connection.connect(done));
      if (begun !== null) return { outcome: 'later', detail: said(begun) };
      if (user !== null) {
        const credentials = { user, credentials: { user, pass: password } };
        const signedIn = await step(connection, (done) => connection.login(credentials, done));
        // A wrong password is the operator's to mend, and the mail waits for it.
        if (signedIn !== null) return { outcome: 'later', detail: said(signedIn) };
      }
      let isBegun = false;
      // It is read once the server asks for the message.
      const message = new Readable({
        read() {
          isBegun = true;
          this.push(raw);
          this.push(null);
        },
      });
      const sent = await step(connection, (done) => connection.send({ from, to: [mail.to] }, message, done));
      return sent === null ? { outcome: 'sent' } : failureOf(sent, isBegun);
    } finally {
      clearTimeout(timer);
      connection.quit();
    }
  };
}

function composed(mail: Mail, from: string): Promise<Buffer> {
  const { to, subject, text, attachment, messageId } = mail;
  return new MailComposer({
    from,
    to,
    subject,
    text,
    messageId: `<${messageId}>`,
    attachments:
      attachment === null
        ? []
        : [{ filename: attachment.name, contentType: attachment.contentType, content: attachment.bytes }],
  })
    .compile()
    .build();
}

type SmtpFault = Error & { responseCode?: number; response?: string };

/** Waits for one step of a connection; a fault of the connection ends it too. Null where it succeeded. */
function step(
  connection: SmtpConnection,
  begin: (done: (error?: Error | null) => void) => void,
): Promise<SmtpFault | null> {
  return new Promise((resolve) => {
    const end = (error?: Error | null) => {
      connection.off('error', end);
      resolve(error ?? null);
    };
    connection.on('error', end);
    begin(end);
  });
}

/** RFC 5321, 4.2.1: 4xx is for now, 5xx for good. */
function failureOf(fault: SmtpFault, isBegun: boolean): Mailed {
  const { responseCode } = fault;
  if (responseCode === undefined) return { outcome: isBegun ? 'unknown' : 'later', detail: said(fault) };
  return responseCode >= 500 ? { outcome: 'refused', text: said(fault) } : { outcome: 'later', detail: said(fault) };
}

function said({ response, message }: SmtpFault): string {
  return (response ?? message).slice(0, detailMax);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}
