import type { Result } from '@voltdeck/units/result';

export type SmsFault =
  /** The provider sends no more to this phone for now. */
  | 'too_many'
  /** It was not sent, for whatever other reason. */
  | 'not_sent';

export type CodeMessage = { purpose: 'register'; phone: string; code: string };

/** Sends short messages. An implementation waits a bounded time, never throws for a refusal, and logs no code but the embedded one. */
export type SmsSender = { sendCode(message: CodeMessage): Promise<Result<null, SmsFault>> };
