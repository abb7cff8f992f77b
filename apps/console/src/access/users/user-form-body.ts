import type { User } from '@voltdeck/contract/users';
import type { AgentId, PositionId } from '@voltdeck/units/id';

/** Who chooses a first password: the server, which tells it once, or the person at the form. */
export const passwordWays = ['made', 'typed'] as const;
export type PasswordWay = (typeof passwordWays)[number];

export type UserValues = {
  userName: string;
  realName: string;
  phone?: string;
  positionId?: number;
  agentId?: number;
  passwordWay: PasswordWay;
  password?: string;
};

/** What the form of an existing user opens with. */
export function valuesOf(user: User): Partial<UserValues> {
  return {
    userName: user.userName,
    realName: user.realName,
    ...(user.phone === null ? {} : { phone: user.phone }),
    ...(user.positionId === null ? {} : { positionId: user.positionId }),
    ...(user.agentId === null ? {} : { agentId: user.agentId }),
  };
}

/**
 * The form as the server takes it. Emptied fields are emptied; the agent is named only by whoever may choose one, so that
 * the server gives an agent's people their own.
 */
export function bodyOf(values: Omit<UserValues, 'userName' | 'passwordWay'>, mayChooseAgent: boolean) {
  return {
    realName: values.realName,
    phone: values.phone?.trim() || null,
    positionId: (values.positionId as PositionId | undefined) ?? null,
    ...(mayChooseAgent ? { agentId: (values.agentId as AgentId | undefined) ?? null } : {}),
  };
}

/** The typed password; nothing when the server is to make one. */
export function passwordOf({ passwordWay, password }: Pick<UserValues, 'passwordWay' | 'password'>): {
  password?: string;
} {
  return passwordWay === 'typed' && password ? { password } : {};
}

/** "138****5678" for those who may read users and not change them. */
export function maskedPhone(phone: string): string {
  return phone.length < 8 ? phone : `${phone.slice(0, 3)}****${phone.slice(-4)}`;
}
