export type Mail = {
  to: string;
  subject: string;
  text: string;
  attachment: { name: string; contentType: string; bytes: Buffer } | null;
  /** The same for every attempt of one mail, so that a mail server can tell a repetition: without brackets. */
  messageId: string;
};

/** What came of a mail. `sent`: the mail server has taken it over. */
export type Mailed =
  | { outcome: 'sent' }
  /** It will never be taken: the address does not exist. */
  | { outcome: 'refused'; text: string }
  /** It was not taken over, and can be tried again. */
  | { outcome: 'later'; detail: string }
  /** It may have been taken over. */
  | { outcome: 'unknown'; detail: string };

/** Hands a mail to a mail server. It never throws for what the other side does. */
export type MailSender = (mail: Mail) => Promise<Mailed>;

/** What SMTP_URL and SMTP_FROM say; holds a secret. */
export type MailSettings = {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise by STARTTLS, which only a server on the loopback may lack. */
  secure: boolean;
  user: string | null;
  password: string;
  from: string;
};
