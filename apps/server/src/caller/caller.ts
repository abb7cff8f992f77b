import type { Language } from '@voltdeck/contract/languages';
import type { DataScope, Permission } from '@voltdeck/contract/permissions';
import type { AgentId, ApprovalId, CustomerId, DividerId, UserId } from '@voltdeck/units/id';

/** Who is calling, what they may do, and whose records they may see. */
export type Caller = {
  userId: UserId;
  userName: string;
  admin: boolean;
  permissions: ReadonlySet<Permission>;
  /** The position's codes, including those of disabled menus: the most that the caller can hand on. */
  menuCodes: ReadonlySet<string>;
  /** Null without a position. */
  dataScope: DataScope | null;
  /** `all` for the platform; otherwise the agents whose records the caller may see. An empty list sees nothing. */
  agents: 'all' | readonly AgentId[];
  /** The registered user that a caller of the scope `self` is, whose records they see; null for everyone else. */
  customerId: CustomerId | null;
  /** The divider that a caller of the scope `divider` is, whose shares they see; null for everyone else. */
  dividerId: DividerId | null;
  language: Language;
  remoteAddress: string;
  /** Set while an act is carried out that a second person approved. */
  approvalId?: ApprovalId;
};
