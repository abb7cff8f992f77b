import type { DataScope } from '@voltdeck/contract/permissions';
import {
  changePosition,
  createPosition,
  getDataScopeList,
  listPositions,
  type Position,
} from '@voltdeck/contract/positions';
import { Radio, Skeleton } from 'antd';
import { useAnswer } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RouteForm } from '../../ui/form/RouteForm.tsx';
import { GrantTree } from './GrantTree.tsx';
import styles from './positions.module.css';
import { RightsList } from './RightsList.tsx';
import { useGrantTree } from './use-grant-tree.ts';

export type PositionFormTask = { kind: 'add' } | { kind: 'edit' | 'copy'; position: Position };

const nameLengthMax = 32;

function titleOf(task: PositionFormTask): string {
  switch (task.kind) {
    case 'add':
      return phrase('positions.addTitle');
    case 'edit':
      return phrase('positions.editTitle', { name: task.position.name });
    case 'copy':
      return phrase('positions.copyTitle', { name: task.position.name });
  }
}

/** Each copied position has a draft of its own. */
function draftKeyOf(task: PositionFormTask): string {
  return task.kind === 'add' ? 'position add' : `position ${task.kind} ${task.position.id}`;
}

type Props = {
  task: PositionFormTask;
  /** Whether agents can be chosen; an agent's users create positions for their own agent only. */
  mayChooseAgent: boolean;
  open: boolean;
  onClose: () => void;
  onSaved: (position: Position) => void;
};

/** Adds, changes or copies a position: its data scope, menus and buttons. */
export default function PositionFormDrawer({ task, mayChooseAgent, open, onClose, onSaved }: Props) {
  const scopes = useAnswer(getDataScopeList, {}, { staleMs: 60_000 });
  const grants = useGrantTree();
  const grantable = grants.kind === 'tree' ? grants.grantable : null;
  // A copy belongs to the caller and leaves out what the caller cannot grant.
  const ownOf = (chosen: readonly string[]) =>
    task.kind === 'edit' || grantable === null ? [...chosen] : chosen.filter((code) => grantable.has(code));
  return (
    <RouteForm
      route={createPosition}
      change={changePosition}
      record={task.kind === 'edit' ? task.position : null}
      likeRecord={task.kind === 'copy' ? copyOf(task.position) : null}
      title={titleOf(task)}
      submitLabel={phrase(task.kind === 'edit' ? 'positions.save' : 'positions.add')}
      draft={draftKeyOf(task)}
      initial={{ menuCodes: [] }}
      fields={{
        name: { label: 'positions.name' },
        description: { label: 'positions.description', rows: 1 },
        ...(mayChooseAgent ? { agentId: { label: 'positions.owner', hint: 'positions.ownerHint' } } : {}),
        dataScope: { label: 'positions.dataScope', control: <ScopeChoice scopes={scopes} /> },
        menuCodes: {
          label: 'positions.menus',
          control: <Grants grants={grants} ownOf={ownOf} />,
          requiredIf: () => true,
          check: (codes) => (ownOf(codes).length === 0 ? phrase('positions.menusMissing') : null),
        },
      }}
      adjust={(body) => ({ ...body, menuCodes: ownOf(body.menuCodes ?? []) })}
      fieldOf={{ 'position.name_taken': 'name', 'position.beyond_own': 'menuCodes' }}
      refreshes={[listPositions]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ menuCodes, dataScope }) => (
        <>
          <h3 className={styles.formHead}>{phrase('positions.rights')}</h3>
          {grants.kind === 'tree' ? (
            <RightsList tree={grants.tree} codes={ownOf(menuCodes ?? [])} dataScope={dataScope} />
          ) : null}
        </>
      )}
    </RouteForm>
  );
}

function copyOf(position: Position): Position {
  return { ...position, name: phrase('positions.copyName', { name: position.name }).slice(0, nameLengthMax) };
}

type GivenByForm<Value> = { value?: Value | undefined; onChange?: (value: Value) => void };

type ScopeChoiceProps = GivenByForm<DataScope> & { scopes: ReturnType<typeof useAnswer<typeof getDataScopeList>> };

/** The data scope, with what each choice means. */
function ScopeChoice({ scopes, ...given }: ScopeChoiceProps) {
  if (scopes.isError) return <ErrorState failure={scopes.error} retry={() => void scopes.refetch()} />;
  if (scopes.data === undefined) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  return (
    <Radio.Group
      {...given}
      onChange={(event) => given.onChange?.(event.target.value)}
      className={styles.scopes ?? ''}
      options={scopes.data.map(({ value, name }) => ({
        value,
        label: (
          <>
            {name}
            <span className={styles.scopeHint}>{phrase(`positions.scope.${value}`)}</span>
          </>
        ),
      }))}
    />
  );
}

type GrantsProps = GivenByForm<string[]> & {
  grants: ReturnType<typeof useGrantTree>;
  ownOf: (codes: readonly string[]) => string[];
};

function Grants({ grants, ownOf, value = [], onChange }: GrantsProps) {
  if (grants.kind === 'failed') return <ErrorState failure={grants.failure} retry={grants.retry} />;
  if (grants.kind !== 'tree') return <Skeleton active paragraph={{ rows: 8 }} />;
  return <GrantTree tree={grants.tree} value={ownOf(value)} {...(onChange === undefined ? {} : { onChange })} />;
}
