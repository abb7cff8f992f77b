import type { DataScope, Language, Permission } from '@voltdeck/contract/permissions';
import type { AgentId, CustomerId, UserId } from '@voltdeck/units/id';

/** Who asks, what they may do, and whose records they may see. */
export type Caller = {
  userId: UserId;
  userName: string;
  admin: boolean;
  permissions: ReadonlySet<Permission>;
  /** What the position grants, whether those menus are enabled or not: no more than this can be handed on. */
  menuCodes: ReadonlySet<string>;
  /** Null without a position. */
  dataScope: DataScope | null;
  /** `all` for the platform; otherwise the agents whose records are the caller's. An empty list sees nothing. */
  agents: 'all' | readonly AgentId[];
  /** The registered person that a caller of the scope `self` is, whose records they see; null for everybody else. */
  customerId: CustomerId | null;
  language: Language;
  remoteAddress: string;
};
