import { deletePosition, listPositions, type Position } from '@voltdeck/contract/positions';
import { call } from '../../api/call.ts';
import { lazyPart } from '../../api/lazy-part.ts';
import { phrase } from '../../phrases.ts';
import { place } from '../../session/place.ts';
import { useSession } from '../../session/session.ts';
import { ListPage } from '../../ui/ListPage.tsx';
import { auditOf, deletion } from '../../ui/list/usual-acts.ts';
import type { Acts, ListPageProps, OverlayProps } from '../../ui/list-page.ts';
import type { PositionFormTask } from './PositionFormDrawer.tsx';

const PositionFormDrawer = lazyPart(() => import('./PositionFormDrawer.tsx'));
const PositionDrawer = lazyPart(() => import('./PositionDrawer.tsx'));

const look: ListPageProps<typeof listPositions>['look'] = {
  name: { widthPx: 168, isPinned: true, opens: 'read' },
  description: { widthPx: 192 },
  dataScope: {
    widthPx: 216,
    render: ({ dataScope }) => (
      <span title={phrase(`positions.scope.${dataScope}`)}>{phrase(`data-scope.${dataScope}`)}</span>
    ),
  },
  users: { link: ({ id, users }) => (users === 0 ? null : place('user', { positionId: id })) },
};

type FormProps = { task: PositionFormTask; over: OverlayProps<Position> };

function PositionForm({ task, over: { open, close, tell } }: FormProps) {
  const { user } = useSession();
  return (
    <PositionFormDrawer
      task={task}
      mayChooseAgent={user.dataScope === 'platform'}
      open={open}
      onClose={close}
      onSaved={({ name }) => tell(phrase('positions.saved', { name }))}
    />
  );
}

const whyUnchangeable = ({ changeable }: Position) => (changeable ? undefined : phrase('positions.notChangeable'));

const acts: Acts<Position> = {
  add: {
    on: 'list',
    label: 'positions.add',
    may: 'position.edit',
    overlay: (over) => <PositionForm task={{ kind: 'add' }} over={over} />,
  },
  edit: {
    on: 'row',
    label: 'positions.edit',
    may: 'position.edit',
    because: whyUnchangeable,
    overlay: (position, over) => <PositionForm task={{ kind: 'edit', position }} over={over} />,
  },
  copy: {
    on: 'row',
    label: 'positions.copy',
    may: 'position.edit',
    overlay: (position, over) => <PositionForm task={{ kind: 'copy', position }} over={over} />,
  },
  read: {
    on: 'row',
    label: 'positions.read',
    overlay: (position, { open, close }) => <PositionDrawer position={position} open={open} onClose={close} />,
  },
  audit: auditOf('position'),
  delete: deletion({
    label: 'positions.delete',
    may: 'position.delete',
    because: (position) =>
      position.users > 0 ? phrase('error.position.in_use', { users: position.users }) : whyUnchangeable(position),
    question: ({ name }) => phrase('positions.deleteQuestion', { name }),
    details: 'positions.deleteDetails',
    act: ({ id }, idempotencyKey) => call(deletePosition, { params: { id }, idempotencyKey }),
    told: ({ name }) => phrase('positions.deleted', { name }),
  }),
};

/** Positions: what their users may see and do; /role. */
export default function PositionListPage() {
  return (
    <ListPage
      list={listPositions}
      title="positions.title"
      record="positions.position"
      filters={{ name: {}, dataScope: {} }}
      look={look}
      acts={acts}
      empty={{ title: 'positions.empty', text: 'positions.emptyText' }}
    />
  );
}
