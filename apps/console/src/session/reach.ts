import type { Permission } from '@voltdeck/contract/permissions';
import type { Session } from './session.ts';

/** Any one of these may ask for agents by name, as `findAgents` says. */
export const agentReaders: readonly Permission[] = [
  'agent.read',
  'station.read',
  'order.read',
  'user.read',
  'position.read',
];

/** Whether the user works for the platform and sees the records of every agent. */
export const isPlatform = ({ user }: Session): boolean => user.dataScope === 'platform';

/** Whether the user sees records of several agents, or of an agent with those below it, and can choose one by name. */
export function seesAgents({ user: { dataScope, permissions } }: Session): boolean {
  return (
    (dataScope === 'platform' || dataScope === 'agent_tree') && agentReaders.some((one) => permissions.includes(one))
  );
}

/** Whether the user sees records of several dividers, and can choose one by name. */
export const seesDividers = ({ user, reachable }: Session): boolean =>
  user.dataScope !== 'divider' && reachable.has('accountChildren');
