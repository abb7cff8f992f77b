import { tariffFaultCodes } from './tariff-faults.ts';

/**
 * Every refusal the server can give, with its HTTP status. The code is also the phrase key
 * (`errors['order.already_ended']`), so that the message comes in the caller's language.
 */
export const errorStatuses = {
  'request.invalid': 422,
  'request.malformed': 400,
  'request.too_large': 413,
  'request.too_many': 429,
  'request.too_many_reads': 429,
  'request.reads_too_long': 422,
  'request.not_found': 404,
  'request.repeated_differently': 422,
  'request.in_progress': 409,
  'server.unavailable': 503,
  'server.failed': 500,
  'session.missing': 401,
  'session.expired': 401,
  'session.replaced': 401,
  'access.denied': 403,
  'login.failed': 401,
  'login.locked': 429,
  'login.disabled': 403,
  'login.captcha_needed': 401,
  'captcha.wrong': 422,
  'password.wrong': 422,
  'password.same': 422,
  'password.too_common': 422,
  'password.must_change': 403,
  'sms.too_soon': 429,
  'sms.too_many': 429,
  'sms.not_sent': 503,
  'sms.code_wrong': 422,
  'register.phone_taken': 409,
  'user.name_taken': 409,
  'user.phone_taken': 409,
  'user.yourself': 409,
  'user.last_admin': 409,
  'position.name_taken': 409,
  'position.in_use': 409,
  'position.beyond_own': 403,
  'menu.code_taken': 409,
  'menu.url_taken': 409,
  'menu.has_children': 409,
  'menu.built_in': 409,
  'menu.circle': 422,
  'menu.not_hideable': 409,
  'config.key_taken': 409,
  'config.built_in': 409,
  'feedback.already_handled': 409,
  'article.key_taken': 409,
  'file.too_large': 413,
  'file.wrong_type': 422,
  'file.unreadable': 422,
  'file.too_many_pixels': 422,
  'file.in_use': 409,
  'task.not_running': 409,
  'task.no_file': 409,
  'task.too_many': 429,
  'task.failed': 500,
  'task.interrupted': 500,
  'task.too_large': 422,
  'task.user_disabled': 403,
  'record.not_found': 404,
  'record.changed': 409,
  'site.has_stations': 409,
  'station.number_taken': 409,
  'station.in_use': 409,
  'station.offline': 409,
  'station.disabled': 409,
  'station.busy': 409,
  'station.no_answer': 504,
  'station.refused': 409,
  'station.start_needs_order': 409,
  'station.no_password': 409,
  'connector.closed': 409,
  'connector.busy': 409,
  'connector.fault': 409,
  'card.number_taken': 409,
  'card.not_usable': 409,
  'card.already_charging': 409,
  'customer.phone_taken': 409,
  'balance.insufficient': 409,
  'order.not_charging': 409,
  'order.already_ended': 409,
  'order.nothing_to_refund': 409,
  'order.refund_too_high': 422,
  'order.energy_below_zero': 422,
  'tariff.missing': 409,
  'tariff.in_use': 409,
  'list.too_deep': 422,
  'export.too_many_rows': 422,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** What any route may answer, so that no route has to list it. */
export const errorsOfAnyRoute = [
  'request.invalid',
  'request.malformed',
  'request.too_large',
  'request.too_many',
  'request.too_many_reads',
  'request.reads_too_long',
  'request.not_found',
  'request.repeated_differently',
  'request.in_progress',
  'server.unavailable',
  'server.failed',
  'session.missing',
  'session.expired',
  'session.replaced',
  'password.must_change',
  'access.denied',
  'record.not_found',
] as const satisfies readonly ErrorCode[];

/** What can be wrong with one field of a form; also phrase keys (`fields[...]`). */
export const fieldFaultCodes = [
  'required',
  'not_text',
  'not_number',
  'not_integer',
  'not_choice',
  'too_short',
  'too_long',
  'too_small',
  'too_big',
  'not_above',
  'too_many',
  'too_deep',
  'bad_format',
  'phone_digits',
  'phone_length',
  'card_number',
  'station_number_ykc',
  'no_password',
  'not_instant',
  'not_region',
  'unknown_field',
  'unknown_reference',
  'taken',
  'in_use',
  'only_one',
  'passwords_differ',
  'invalid',
  ...tariffFaultCodes,
] as const;
export type FieldFaultCode = (typeof fieldFaultCodes)[number];

export type FieldFault = {
  /** Dotted path into the body or query: "prices.sharp.electricity". */
  path: string;
  code: FieldFaultCode;
  params?: Readonly<Record<string, string | number>>;
};

export type ApiError = {
  code: ErrorCode;
  params?: Readonly<Record<string, string | number>>;
  fields?: readonly FieldFault[];
};
