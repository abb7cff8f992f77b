/** The values of these fields are secrets, in query_token and its answer, however a partner writes their names. */
const secretFields = /("(?:Operator_?Secret|Access_?Token)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;
/** Shorter secrets are struck out of their fields alone: elsewhere they would take half of what was said with them. */
const struckCharsMin = 8;
const stars = '***';

/**
 * A business text as people may read it: what would let them sign in is struck out.
 * @param known keys and tokens of the exchange, which are struck out wherever the text repeats one, as messages of
 *   partners do
 */
export function withoutSecrets(text: string, known: readonly string[] = []): string {
  return known
    .filter((secret) => secret.length >= struckCharsMin)
    .reduce((left, secret) => left.replaceAll(secret, stars), text.replaceAll(secretFields, `$1"${stars}"`));
}
