/** Fields of requests and answers that hold secrets, signatures or what leads to a person. */
const secretFields =
  /^(?:sign|signature|pay_?sign|package_info|private_?key|api_?v3_?key|ciphertext|openid|sub_openid|payer|payee|buyer_.*|payee_.*|identity|user_name|name|logon_id|(?:bill_)?download_url|receipt_user.*|用户标识|对方账户|付款方.*|收款方.*|用户名.*)$/i;

const shownLength = 3;

/** The same data with every text in such a field masked, at any depth. */
export function maskFields(value: unknown): unknown {
  return masked(value, false);
}

function masked(value: unknown, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => masked(one, isSecret));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, masked(one, isSecret || secretFields.test(name))]),
    );
  }
  return isSecret && typeof value === 'string' ? maskText(value) : value;
}

/** The ends of a long text, the beginning of none. */
export function maskText(text: string): string {
  if (text.length < shownLength * 4) return '***';
  return `${text.slice(0, shownLength)}***${text.slice(-shownLength)}`;
}
