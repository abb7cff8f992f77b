import type { DataScope } from '@voltdeck/contract/permissions';
import {
  changePosition,
  createPosition,
  getDataScopeList,
  listPositions,
  type Position,
} from '@voltdeck/contract/positions';
import type { AgentId } from '@voltdeck/units/id';
import { Form, Input, Radio, Skeleton } from 'antd';
import { call } from '../../api/call.ts';
import { useAnswer, useRefresh } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormDrawer } from '../../ui/FormDrawer.tsx';
import { agentChoices } from '../../ui/list/record-choices.ts';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { GrantTree } from './GrantTree.tsx';
import styles from './positions.module.css';
import { RightsList } from './RightsList.tsx';
import { useGrantTree } from './use-grant-tree.ts';

export type PositionFormTask = { kind: 'add' } | { kind: 'edit' | 'copy'; position: Position };

type Values = { name: string; description?: string; dataScope: DataScope; menuCodes: string[]; agentId?: number };

const nameLengthMax = 32;

/** What the form opens with. */
function initialOf(task: PositionFormTask): Partial<Values> {
  if (task.kind === 'add') return { menuCodes: [] };
  const { name, description, dataScope, menuCodes, agentId } = task.position;
  return {
    name: task.kind === 'copy' ? phrase('positions.copyName', { name }).slice(0, nameLengthMax) : name,
    description,
    dataScope,
    menuCodes,
    ...(agentId === null ? {} : { agentId }),
  };
}

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

/** A copy starts from what the position is when it is copied, so that it keeps a draft of its own. */
function draftKeyOf(task: PositionFormTask): string {
  return task.kind === 'add' ? 'position add' : `position ${task.kind} ${task.position.id}`;
}

type Props = {
  task: PositionFormTask;
  /** Whether agents can be chosen; an agent's people make positions of their own agent. */
  mayChooseAgent: boolean;
  open: boolean;
  onClose: () => void;
  onSaved: (position: Position) => void;
};

/** Add, edit or copy a position: whose records, and which menus and buttons. */
export default function PositionFormDrawer({ task, mayChooseAgent, open, onClose, onSaved }: Props) {
  const [form] = Form.useForm<Values>();
  const refresh = useRefresh();
  const scopes = useAnswer(getDataScopeList, {}, { staleMs: 60_000 });
  const grants = useGrantTree();
  const codes = Form.useWatch('menuCodes', form);
  const dataScope = Form.useWatch('dataScope', form);
  const grantable = grants.kind === 'tree' ? grants.grantable : null;
  // A new position is the caller's own: what they cannot grant does not come along from the one that is copied.
  const ownOf = (chosen: readonly string[]) =>
    task.kind === 'edit' || grantable === null ? [...chosen] : chosen.filter((code) => grantable.has(code));
  const required = { required: true, message: phrase('field.required') };

  const save = (values: Values, idempotencyKey: string): Promise<Position> => {
    const body = {
      name: values.name.trim(),
      description: values.description?.trim() ?? '',
      dataScope: values.dataScope,
      menuCodes: ownOf(values.menuCodes),
      ...(mayChooseAgent ? { agentId: (values.agentId as AgentId | undefined) ?? null } : {}),
    };
    return task.kind === 'edit'
      ? call(changePosition, { params: { id: task.position.id }, body, quiet: true })
      : call(createPosition, { body, idempotencyKey, quiet: true });
  };

  return (
    <FormDrawer<Values, Position>
      title={titleOf(task)}
      open={open}
      onClose={onClose}
      form={form}
      draftKey={draftKeyOf(task)}
      initial={initialOf(task)}
      submitLabel={phrase(task.kind === 'edit' ? 'positions.save' : 'positions.add')}
      submit={save}
      fieldOf={{ 'position.name_taken': 'name', 'position.beyond_own': 'menuCodes' }}
      onDone={(position) => {
        void refresh(listPositions);
        onSaved(position);
      }}
    >
      <Form.Item name="name" label={phrase('positions.name')} rules={[{ ...required, whitespace: true }]}>
        <Input maxLength={nameLengthMax} />
      </Form.Item>
      <Form.Item name="description" label={phrase('positions.description')}>
        <Input.TextArea maxLength={200} autoSize={{ minRows: 1, maxRows: 4 }} />
      </Form.Item>
      {mayChooseAgent ? (
        <Form.Item name="agentId" label={phrase('positions.owner')} extra={phrase('positions.ownerHint')}>
          <RecordSelect
            optional
            search={agentChoices.search}
            initialName={task.kind === 'add' ? null : task.position.agentName}
          />
        </Form.Item>
      ) : null}
      <Form.Item name="dataScope" label={phrase('positions.dataScope')} rules={[required]}>
        {scopes.data === undefined ? (
          scopes.isError ? (
            <ErrorState failure={scopes.error} retry={() => void scopes.refetch()} />
          ) : (
            <Skeleton active title={false} paragraph={{ rows: 3 }} />
          )
        ) : (
          <Radio.Group
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
        )}
      </Form.Item>
      <Form.Item
        name="menuCodes"
        getValueProps={(chosen: readonly string[] | undefined) => ({ value: ownOf(chosen ?? []) })}
        label={phrase('positions.menus')}
        required
        rules={[
          {
            validator: (_, chosen: readonly string[] | undefined) =>
              chosen === undefined || chosen.length === 0
                ? Promise.reject(new Error(phrase('positions.menusMissing')))
                : Promise.resolve(),
          },
        ]}
      >
        {grants.kind === 'tree' ? (
          <GrantTree tree={grants.tree} />
        ) : grants.kind === 'failed' ? (
          <ErrorState failure={grants.failure} retry={grants.retry} />
        ) : (
          <Skeleton active paragraph={{ rows: 8 }} />
        )}
      </Form.Item>
      <h3 className={styles.formHead}>{phrase('positions.rights')}</h3>
      {grants.kind === 'tree' ? (
        <RightsList tree={grants.tree} codes={ownOf(codes ?? [])} dataScope={dataScope} />
      ) : null}
    </FormDrawer>
  );
}
