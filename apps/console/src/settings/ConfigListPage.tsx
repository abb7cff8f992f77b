import { PlusOutlined } from '@ant-design/icons';
import { type Config, deleteConfig, listConfigs } from '@voltdeck/contract/settings';
import { App, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { useConfirm } from '../ui/confirm.tsx';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import type { ListColumn, ListFilter, RowAction } from '../ui/list-page.ts';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './settings.module.css';

/** Loaded when it is opened: a list is read far more often than it is acted on. */
const ConfigFormDrawer = lazy(() => import('./ConfigFormDrawer.tsx'));

/** A value on one line; a secret only says whether it is there. */
function ConfigValue({ config }: { config: Config }) {
  if (config.secret) {
    return (
      <StateTag tone={config.hasValue ? 'free' : 'offline'}>
        {phrase(config.hasValue ? 'settings.set' : 'settings.notSet')}
      </StateTag>
    );
  }
  if (config.value === '') return nothingText;
  const lines = config.value.split('\n');
  return (
    <span className={styles.value} title={config.value}>
      <code>{lines[0]}</code>
      {lines.length === 1 ? null : (
        <span className={styles.lines}>{phrase('settings.valueLines', { count: lines.length })}</span>
      )}
    </span>
  );
}

function configColumns(): ListColumn<typeof listConfigs>[] {
  return [
    {
      key: 'name',
      title: phrase('settings.name'),
      widthPx: 220,
      initiallyPinned: true,
      render: (config) => (
        <span className={styles.name}>
          {config.name}
          {config.builtIn ? <span className={styles.mark}>{phrase('settings.builtIn')}</span> : null}
        </span>
      ),
    },
    {
      key: 'key',
      title: phrase('settings.key'),
      widthPx: 200,
      sort: 'key',
      render: (config) => <CopyNumber value={config.key} />,
    },
    {
      key: 'value',
      title: phrase('settings.value'),
      widthPx: 280,
      render: (config) => <ConfigValue config={config} />,
    },
    {
      key: 'public',
      title: phrase('settings.public'),
      hint: phrase('settings.publicHint'),
      widthPx: 72,
      render: (config) => phrase(config.public ? 'list.yes' : 'list.no'),
    },
    {
      key: 'secret',
      title: phrase('settings.secret'),
      hint: phrase('settings.secretHint'),
      widthPx: 72,
      render: (config) => phrase(config.secret ? 'list.yes' : 'list.no'),
    },
    {
      key: 'changedAt',
      title: phrase('settings.changedAt'),
      widthPx: 172,
      sort: 'changedAt',
      render: (config) => <Instant at={config.changedAt} />,
    },
    {
      key: 'remark',
      title: phrase('settings.remark'),
      widthPx: 240,
      render: (config) => config.remark || nothingText,
    },
  ];
}

function configFilters(): ListFilter<typeof listConfigs>[] {
  return [
    { kind: 'text', name: 'name', label: phrase('settings.name') },
    { kind: 'text', name: 'key', label: phrase('settings.key') },
  ];
}

/** Parameters that pages and programs read by their key; /configList. */
export default function ConfigListPage() {
  const can = useCan();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const { message } = App.useApp();
  const [edited, setEdited] = useState<Config | null>(null);
  const [isOpen, setOpen] = useState(false);
  const show = (config: Config | null) => {
    setEdited(config);
    setOpen(true);
  };

  const remove = (config: Config) =>
    void confirm({
      question: phrase('settings.deleteQuestion', { name: config.name, key: config.key }),
      details: phrase('settings.deleteDetails'),
      verb: phrase('settings.delete'),
      danger: true,
      act: async () => {
        await call(deleteConfig, { query: { id: config.id } });
        message.success(phrase('settings.deleted', { name: config.name }));
        await refresh(listConfigs);
      },
    });

  const actsOf = (config: Config): RowAction[] => [
    { key: 'edit', label: phrase('settings.edit'), onClick: () => show(config) },
    {
      key: 'delete',
      label: phrase('settings.delete'),
      danger: true,
      because: config.builtIn ? phrase('error.config.built_in') : undefined,
      onClick: () => remove(config),
    },
  ];

  const add = can('config.edit') ? (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => show(null)}>
      {phrase('settings.add')}
    </Button>
  ) : null;

  return (
    <>
      <ListPage
        name="configs"
        title={phrase('settings.title')}
        route={listConfigs}
        rowKey={(config) => config.id}
        rowName={(config) => `${phrase('settings.parameter')} ${config.name}`}
        filters={configFilters()}
        columns={configColumns()}
        toolbar={add}
        {...(can('config.edit') ? { rowActions: actsOf } : {})}
        empty={{ title: phrase('settings.empty'), text: phrase('settings.emptyText'), action: add }}
      />
      <Suspense>
        {isOpen || edited !== null ? (
          <ConfigFormDrawer
            key={edited?.id ?? 'add'}
            config={edited}
            open={isOpen}
            onClose={() => setOpen(false)}
            onSaved={(config) => message.success(phrase('settings.saved', { name: config.name }))}
          />
        ) : null}
      </Suspense>
    </>
  );
}
