/** The values of these fields are secrets, in query_token and its answer. */
const secretFields = /("(?:OperatorSecret|AccessToken)"\s*:\s*)"(?:[^"\\]|\\.)*"/g;

/** A business text as people may read it: what would let them sign in is struck out. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(secretFields, '$1"***"');
}
