import type { Result } from '@voltdeck/units/result';

export type SmsFault =
  /** The provider sends no more messages to this phone for now. */
  | 'too_many'
  /** It was not sent, for any other reason. */
  | 'not_sent';

export type CodeMessage = { purpose: 'register' | 'sign_in'; phone: string; code: string };

/**
 * Sends short messages. Implementations have a bounded wait, never throw for a refusal, and log no codes, the embedded
 * one excepted.
 */
export type SmsSender = { sendCode(message: CodeMessage): Promise<Result<null, SmsFault>> };
