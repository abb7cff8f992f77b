import type { Protocol, StationSignIn } from '@voltdeck/charging/states';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { getStationConnection } from '@voltdeck/contract/stations';
import { type PhraseKey, phrase } from '../phrases.ts';

type Connection = Pick<AnswerOf<typeof getStationConnection>, 'protocol' | 'identity' | 'signIn'>;

const securitySteps = {
  password: 'stations.stepSecurity',
  certificate: 'stations.stepSecurityCertificate',
  open: 'stations.stepSecurityOpen',
} as const satisfies Readonly<Record<StationSignIn, PhraseKey>>;

/** What an installer enters in the charger, in order. */
const steps: Readonly<Record<Protocol, (connection: Connection) => string[]>> = {
  'ocpp1.6': ({ identity, signIn }) => [
    phrase('stations.stepAddress'),
    phrase('stations.stepIdentity', { identity }),
    phrase(securitySteps[signIn]),
    phrase('stations.stepRestart'),
  ],
  ykc: ({ identity }) => [
    phrase('stations.stepAddressYkc'),
    phrase('stations.stepIdentityYkc', { identity }),
    phrase('stations.stepVersionYkc'),
    phrase('stations.stepRestartYkc'),
  ],
};

export function connectionSteps(connection: Connection): string[] {
  return steps[connection.protocol](connection);
}
