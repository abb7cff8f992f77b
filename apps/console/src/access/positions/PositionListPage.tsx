import { PlusOutlined } from '@ant-design/icons';
import { dataScopes } from '@voltdeck/contract/permissions';
import { deletePosition, listPositions, type Position } from '@voltdeck/contract/positions';
import { App, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '../../api/call.ts';
import { useRefresh } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { useSession } from '../../session/session.ts';
import { useCan } from '../../session/use-can.ts';
import { useMayOpen } from '../../session/use-may-open.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { nothingText } from '../../ui/figures.ts';
import { Instant } from '../../ui/Instant.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import type { ListColumn, ListFilter, RowAction } from '../../ui/list-page.ts';
import { useReopenedDraft } from '../../ui/use-draft.ts';
import type { PositionFormTask } from './PositionFormDrawer.tsx';
import styles from './positions.module.css';

const PositionFormDrawer = lazy(() => import('./PositionFormDrawer.tsx'));
const PositionDrawer = lazy(() => import('./PositionDrawer.tsx'));

function positionColumns(
  onRead: (position: Position) => void,
  mayOpen: (path: string) => boolean,
): ListColumn<typeof listPositions>[] {
  return [
    {
      key: 'name',
      title: phrase('positions.name'),
      widthPx: 168,
      sort: 'name',
      initiallyPinned: true,
      render: (position) => (
        <button type="button" className={styles.name} onClick={() => onRead(position)}>
          {position.name}
        </button>
      ),
    },
    {
      key: 'description',
      title: phrase('positions.description'),
      widthPx: 192,
      render: (position) => position.description || nothingText,
    },
    {
      key: 'dataScope',
      title: phrase('positions.dataScope'),
      widthPx: 216,
      render: (position) => (
        <span title={phrase(`positions.scope.${position.dataScope}`)}>
          {phrase(`data-scope.${position.dataScope}`)}
        </span>
      ),
    },
    {
      key: 'grants',
      title: phrase('positions.grants'),
      hint: phrase('positions.grantsHint'),
      widthPx: 88,
      align: 'right',
      render: (position) => <span className="figure">{position.menuCodes.length}</span>,
    },
    {
      key: 'users',
      title: phrase('positions.users'),
      widthPx: 88,
      align: 'right',
      render: (position) =>
        position.users > 0 && mayOpen('/user') ? (
          <Link className="figure" to={`/user?positionId=${position.id}`}>
            {position.users}
          </Link>
        ) : (
          <span className="figure">{position.users}</span>
        ),
    },
    {
      key: 'owner',
      title: phrase('positions.owner'),
      widthPx: 148,
      render: (position) => position.agentName ?? phrase('positions.platform'),
    },
    {
      key: 'createdAt',
      title: phrase('positions.createdAt'),
      widthPx: 148,
      sort: 'createdAt',
      render: (position) => <Instant at={position.createdAt} />,
    },
  ];
}

function positionFilters(): ListFilter<typeof listPositions>[] {
  return [
    { kind: 'text', name: 'name', label: phrase('positions.name'), maxLength: 32 },
    {
      kind: 'choice',
      name: 'dataScope',
      label: phrase('positions.dataScope'),
      choices: dataScopes.map((value) => ({ value, label: phrase(`data-scope.${value}`) })),
    },
  ];
}

type Overlay = { kind: 'form'; task: PositionFormTask } | { kind: 'read'; position: Position };

/** Positions: what people with one may see and do; /role. */
export default function PositionListPage() {
  const can = useCan();
  const mayOpen = useMayOpen();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const { user: caller } = useSession();
  const { message } = App.useApp();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [isOpen, setOpen] = useState(false);
  const show = (next: Overlay) => {
    setOverlay(next);
    setOpen(true);
  };
  useReopenedDraft('position add', () => show({ kind: 'form', task: { kind: 'add' } }));
  const read = (position: Position) => show({ kind: 'read', position });

  const remove = (position: Position) =>
    void confirm({
      question: phrase('positions.deleteQuestion', { name: position.name }),
      details: phrase('positions.deleteDetails'),
      verb: phrase('positions.delete'),
      danger: true,
      act: async () => {
        await call(deletePosition, { params: { id: position.id } });
        message.success(phrase('positions.deleted', { name: position.name }));
        await refresh(listPositions);
      },
    });

  const actsOf = (position: Position): RowAction[] => {
    const because = position.changeable ? undefined : phrase('positions.notChangeable');
    return [
      ...(can('position.edit')
        ? [
            {
              key: 'edit',
              label: phrase('positions.edit'),
              because,
              onClick: () => show({ kind: 'form', task: { kind: 'edit', position } }),
            },
            {
              key: 'copy',
              label: phrase('positions.copy'),
              onClick: () => show({ kind: 'form', task: { kind: 'copy', position } }),
            },
          ]
        : []),
      { key: 'read', label: phrase('positions.read'), onClick: () => read(position) },
      ...(mayOpen('/auditLog')
        ? [
            {
              key: 'audit',
              label: phrase('menu.auditLog'),
              onClick: () => navigate(`/auditLog?recordKind=position&recordId=${position.id}`),
            },
          ]
        : []),
      ...(can('position.delete')
        ? [
            {
              key: 'delete',
              label: phrase('positions.delete'),
              danger: true,
              because: position.users > 0 ? phrase('error.position.in_use', { users: position.users }) : because,
              onClick: () => remove(position),
            },
          ]
        : []),
    ];
  };

  const add = can('position.edit') ? (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ kind: 'form', task: { kind: 'add' } })}>
      {phrase('positions.add')}
    </Button>
  ) : null;

  return (
    <>
      <ListPage
        name="positions"
        title={phrase('positions.title')}
        route={listPositions}
        rowKey={(position) => position.id}
        rowName={(position) => `${phrase('positions.position')} ${position.name}`}
        filters={positionFilters()}
        columns={positionColumns(read, mayOpen)}
        toolbar={add}
        rowActions={actsOf}
        empty={{ title: phrase('positions.empty'), text: phrase('positions.emptyText'), action: add }}
      />
      <Suspense>
        {overlay?.kind === 'form' ? (
          <PositionFormDrawer
            key={overlay.task.kind === 'add' ? 'add' : `${overlay.task.kind} ${overlay.task.position.id}`}
            task={overlay.task}
            mayChooseAgent={caller.dataScope === 'platform'}
            open={isOpen}
            onClose={() => setOpen(false)}
            onSaved={({ name }) => message.success(phrase('positions.saved', { name }))}
          />
        ) : null}
        {overlay?.kind === 'read' ? (
          <PositionDrawer
            key={overlay.position.id}
            position={overlay.position}
            open={isOpen}
            onClose={() => setOpen(false)}
          />
        ) : null}
      </Suspense>
    </>
  );
}
