/**
 * Why a partner could not be called, or did not give what it was asked for: of calls, pulls and tests of a connection.
 * What each means is `partner-fault.<fault>`, what to do about it `partner-advice.<fault>`.
 */
export const partnerFaults = [
  // What is missing here.
  'no_own_code',
  'no_keys',
  'no_address',
  // On the way.
  'unknown_host',
  'connection_refused',
  'unreachable',
  'bad_certificate',
  'timeout',
  'no_answer',
  'http_status',
  'too_long',
  // The answer as such.
  'no_envelope',
  'wrong_signature',
  'not_decrypted',
  'not_readable',
  // What the partner refuses: Ret of T/CEC 102.4, and SuccStat of its token.
  'refused_signature',
  'refused_token',
  'refused_envelope',
  'refused_content',
  'refused_busy',
  'refused_fault',
  'token_not_given',
  // A list of stations: fewer came than were promised, or it goes on for too long.
  'list_incomplete',
  'list_too_long',
  'list_too_slow',
  // Pulls: one whose node is gone, and one that a bug of ours ended.
  'abandoned',
  'own_fault',
] as const;
export type PartnerFault = (typeof partnerFaults)[number];
