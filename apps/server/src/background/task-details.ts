import type { LabelFormat } from '@voltdeck/contract/label-formats';
import type { Language } from '@voltdeck/contract/languages';
import type { ExportFormat } from '@voltdeck/contract/list';
import type { Permission } from '@voltdeck/contract/permissions';
import type { RehearsalFilter } from '@voltdeck/contract/rehearsals';
import type { BulkCommand } from '@voltdeck/contract/station-commands';
import type { IdentityBatch } from '@voltdeck/contract/station-identities';
import type { ExportList, TaskKind } from '@voltdeck/contract/tasks';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { ConnectorId, Id, TariffId, UserId } from '@voltdeck/units/id';
import type { Caller } from '../caller/caller.ts';
import type { UserRights } from '../caller/user-rights.ts';

/** What the work of each kind needs beyond its rows. */
export type TaskDetails = {
  export: {
    list: ExportList;
    /** Absent in tasks of a version that only had xlsx. */
    format?: ExportFormat;
    query: Readonly<Record<string, string>>;
  };
  'station-commands': {
    command: BulkCommand;
    /** The firmware server's password, sealed; the command has none. */
    sealedPassword: string | null;
  };
  rehearsal: {
    /** Null for a rule that was not saved. */
    tariffId: TariffId | null;
    tariffName: string;
    tariff: Tariff;
    filter: RehearsalFilter;
  };
  'station-import': { importId: Id<'station_import'> };
  'station-identities': { batch: IdentityBatch };
  'label-sheet': {
    format: LabelFormat;
    /** Null for all that the filter matches. */
    connectorIds: readonly ConnectorId[] | null;
    /** The list's query as in its address. */
    query: Readonly<Record<string, string>>;
  };
};

/** Who started a task, with their rights and scope at that time: it is carried out as this person. */
type Starter = {
  caller: Pick<Caller, 'userName' | 'admin' | 'dataScope' | 'agents' | 'customerId'> & {
    /** Absent in tasks of a version without dividers who sign in. */
    dividerId?: Caller['dividerId'];
    /** Absent in tasks of a version whose lists were the same for everybody. */
    permissions?: readonly Permission[];
    menuCodes?: readonly string[];
  };
};

export type StoredDetail<Kind extends TaskKind> = TaskDetails[Kind] & Starter;

export function storedDetail<Kind extends TaskKind>(
  { userName, admin, dataScope, agents, customerId, dividerId, permissions, menuCodes }: Caller,
  detail: TaskDetails[Kind],
): StoredDetail<Kind> {
  const rights = { permissions: [...permissions], menuCodes: [...menuCodes] };
  return { ...detail, caller: { userName, admin, dataScope, agents, customerId, dividerId, ...rights } };
}

/** The caller as of the start of the task. */
export function callerOf(starter: Starter, userId: UserId, language: Language): Caller {
  return { ...rightsAtStart(starter, userId), language, remoteAddress: '' };
}

/** What the starter of a task could do and see then. */
export function rightsAtStart({ caller }: Starter, userId: UserId): UserRights {
  const { permissions = [], menuCodes = [], dividerId = null, ...rest } = caller;
  return { ...rest, dividerId, userId, permissions: new Set(permissions), menuCodes: new Set(menuCodes) };
}
