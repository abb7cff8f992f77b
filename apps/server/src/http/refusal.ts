import { type Envelope, lostSessionStatuses } from '@voltdeck/contract/envelope';
import { type ApiError, type ErrorCode, errorStatuses } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/languages';
import type { FastifyReply } from 'fastify';
import { say, sayIfKnown } from './say.ts';

/** The HTTP status of a refusal, from the contract's table. */
export function statusOf(code: ErrorCode): number {
  return errorStatuses[code];
}

/** A refusal in the specification's envelope, every text in the caller's language. */
export function refusalEnvelope(error: ApiError, language: Language, requestId: string): Envelope<null> {
  const httpStatus = statusOf(error.code);
  const lost: Partial<Record<ErrorCode, number>> = lostSessionStatuses;
  return {
    message: {
      status: lost[error.code] ?? httpStatus,
      code: httpStatus,
      message: messageOf(error, language, requestId),
      error: error.code,
      ...(error.fields === undefined
        ? {}
        : {
            fields: error.fields.map((fault) => ({
              ...fault,
              message: say(language, `field.${fault.code}`, fault.params),
            })),
          }),
      requestId,
    },
    data: null,
  };
}

/** What a refusal says in a language. */
export function messageOf(error: ApiError, language: Language, requestId = ''): string {
  return say(language, `error.${error.code}`, { ...error.params, ...wordsOf(error, language), requestId });
}

function wordsOf({ words = {} }: ApiError, language: Language): Record<string, string> {
  return Object.fromEntries(Object.entries(words).map(([name, key]) => [name, sayIfKnown(language, key) ?? key]));
}

/** Answers with a refusal: its HTTP status, the envelope, and when to retry where that is known. */
export function sendRefusal(
  reply: FastifyReply,
  error: ApiError,
  language: Language,
  textAsData = false,
): FastifyReply {
  const seconds = error.params?.seconds;
  if (statusOf(error.code) === 429 && typeof seconds === 'number') reply.header('retry-after', String(seconds));
  if (error.code === 'server.unavailable') reply.header('retry-after', '2');
  const envelope = refusalEnvelope(error, language, reply.request.id);
  return reply
    .code(statusOf(error.code))
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(textAsData ? { ...envelope, data: envelope.message.message } : envelope);
}
