import type { partnerConnections as zh } from '../zh-CN/partner-connections.ts';

export const partnerConnections: Record<keyof typeof zh, string> = {
  'partner-fault.no_own_code': 'Our organization code is not set',
  'partner-fault.no_keys': 'Its keys are missing',
  'partner-fault.no_address': 'The API url is not valid',
  'partner-fault.unknown_host': 'The host name is unknown',
  'partner-fault.connection_refused': 'The connection was refused',
  'partner-fault.unreachable': 'The network cannot be reached',
  'partner-fault.bad_certificate': 'The certificate does not hold',
  'partner-fault.timeout': 'It did not answer in time',
  'partner-fault.no_answer': 'The connection broke without an answer',
  'partner-fault.http_status': 'It answered with an HTTP error',
  'partner-fault.too_long': 'The answer is too long',
  'partner-fault.no_envelope': 'The answer is no message of the standard',
  'partner-fault.wrong_signature': 'The answer’s signature is wrong',
  'partner-fault.not_decrypted': 'The answer cannot be decrypted',
  'partner-fault.not_readable': 'What it answered breaks the standard',
  'partner-fault.refused_signature': 'It finds our signature wrong (4001)',
  'partner-fault.refused_token': 'It finds our token wrong (4002)',
  'partner-fault.refused_envelope': 'It finds the envelope wrong (4003)',
  'partner-fault.refused_content': 'It finds the content wrong (4004)',
  'partner-fault.refused_busy': 'It is busy (-1)',
  'partner-fault.refused_fault': 'It has a fault of its own',
  'partner-fault.token_not_given': 'It gave no token',
  'partner-fault.list_incomplete': 'Its list of sites is incomplete',
  'partner-fault.list_too_long': 'Its list of sites is too long',
  'partner-fault.list_too_slow': 'Its list of sites took too long',
  'partner-fault.abandoned': 'The sync broke off',
  'partner-fault.own_fault': 'A fault of this system ended the sync',
  'partner-advice.no_own_code': 'Enter own_operator_id in the parameters.',
  'partner-advice.no_keys': 'Enter the four keys that the operator issued to us, by “New keys”.',
  'partner-advice.no_address': 'Enter the operator’s API url, such as https://example.com/evcs/v1.0.',
  'partner-advice.unknown_host': 'Check the host name in the API url, and that this server can resolve names.',
  'partner-advice.connection_refused':
    'Check the port; ask the operator whether its service runs and its firewall lets our address in.',
  'partner-advice.unreachable':
    'Check what this server may reach, and ask the operator to add our address to its allow list.',
  'partner-advice.bad_certificate':
    'Ask the operator for a certificate that matches the host name, is in date and comes with its chain.',
  'partner-advice.timeout': 'Try again later; if it goes on, ask the operator why its interface is slow.',
  'partner-advice.no_answer': 'Ask the operator to look in its gateway’s log whether the request arrived.',
  'partner-advice.http_status':
    'Check the path and the version in the API url, and ask the operator about this HTTP status.',
  'partner-advice.too_long': 'Ask the operator for smaller pages.',
  'partner-advice.no_envelope': 'Check the API url; the answer should be JSON with Ret, Msg, Data and Sig.',
  'partner-advice.wrong_signature':
    'Compare the signing key (SigSecret) with the operator, and whether signatures are in upper case.',
  'partner-advice.not_decrypted':
    'Compare the encryption key (DataSecret) and its vector (DataSecretIV) with the operator.',
  'partner-advice.not_readable':
    'Ask the operator to correct the field that is named, or set its protocol differences.',
  'partner-advice.refused_signature': 'Compare the signing key (SigSecret), and check that both clocks agree.',
  'partner-advice.refused_token':
    'Ask the operator how long its tokens are valid and how it keeps them, then try again.',
  'partner-advice.refused_envelope':
    'Compare both organization codes, the encryption key and its vector, and check that both clocks agree.',
  'partner-advice.refused_content':
    'Check the field that its message names, and set its protocol differences if need be.',
  'partner-advice.refused_busy': 'Try again later.',
  'partner-advice.refused_fault': 'Give the operator the time and the interface, and ask it to look in its log.',
  'partner-advice.token_not_given':
    'Compare the platform secret (OperatorSecret) and our organization code, and ask whether we are set up there.',
  'partner-advice.list_incomplete':
    'Ask the operator why fewer sites came than its PageCount and ItemSize promise. Until then no site is taken for gone.',
  'partner-advice.list_too_long':
    'Ask the operator to check PageCount and ItemSize, and whether its StationIDs stay the same.',
  'partner-advice.list_too_slow': 'Ask the operator why its pages come slowly; the next sync begins anew.',
  'partner-advice.abandoned': 'Sync again.',
  'partner-advice.own_fault':
    'Sync again; if it fails again, give the time of the sync to whoever maintains this system.',
  'connection.test': 'Test connection',
  'connection.testing': 'Testing step by step; this takes half a minute at the most…',
  'connection.panel': 'Connection test',
  'connection.intro':
    'Checks the address, the signature and encryption, the token and the sites in turn, and says where it fails and what to do.',
  'connection.passed': 'The connection works',
  'connection.failed': 'The connection does not work',
  'connection.again': 'Test again',
  'connection.stop': '. ',
  'connection.took': '{ms} ms',
  'connection.stationsShown': 'It shows {count} sites',
  'connection.exchangesPanel': 'Latest exchanges',
  'connection.noExchanges': 'No exchanges yet',
  'connection-step.address': 'The address answers',
  'connection-step.signature': 'Signature and encryption',
  'connection-step.token': 'Token',
  'connection-step.stations': 'Sites',
  'step-outcome.passed': 'Passed',
  'step-outcome.failed': 'Failed',
  'step-outcome.skipped': 'Skipped',
  'step-skipped.failed_before': 'A step before failed',
  'step-skipped.no_stations': 'This operator has no sites for us',
};
